// SPDX-License-Identifier: MIT
// The campaigns of a store: shards of work that agents take by leases.
//
// A shard is claimed until a deadline, which a heartbeat moves. Each claim of a shard is an attempt with a number of
// its own, from 1. A result counts if its attempt is still the shard's last one, even when the deadline is over; it is
// stored together with its records in one transaction, once for each (shard, attempt). A shard whose deadline is over
// can be claimed again, as the next attempt.
//
// Two agents never hold the same attempt. Only the agent that claimed it ends it, for the device that it claimed it
// with. Every call may be repeated after an error, also when nobody knows whether the first one arrived: create() and
// finish() change nothing the second time, and a lost claim expires.
//
// The moment is a parameter; agents on several machines should take it from Database::now().
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/result_store.h"

namespace weakspot::store {

inline constexpr int kMostFailures = 3;  // failures of a shard or a device before it is quarantined
// The number of leases of a shard that may expire before it is quarantined. More than failures: a lease also expires
// when a machine is switched off. After a few, the shard is handed out alone, so that it is not blamed for others.
inline constexpr int kMostExpired = 10;

struct Campaign {
  std::string id;    // chosen by the caller; the same id is the same campaign
  std::string name;  // for people
  std::string document;
};

struct Shard {
  std::string id;  // unique in its campaign
  std::string device_class;
  double seconds = 0;  // planned device time
  std::string document;
};

struct StoredCampaign {
  Campaign campaign;
  bool paused = false;
  Time created;
};

struct ClaimRequest {
  std::string agent;   // who holds the lease, such as host/process: nobody else extends, ends or returns it
  std::string device;  // what runs the shards, unique among all agents (host/cuda:0); a quarantined one gets nothing
  std::vector<std::string> device_classes;  // classes of the shards that it can run
  std::string campaign;                     // only of this one; empty: of all that are not paused, oldest first
  std::size_t most = 1;
  Duration lease{60'000};
};

// The identity of an attempt.
struct Attempt {
  std::string campaign;
  std::string shard;
  std::int64_t number = 0;

  friend bool operator==(const Attempt&, const Attempt&) = default;
};

struct Claim {
  Attempt attempt;
  std::string device_class;
  double seconds = 0;
  std::string document;
  Time deadline;
};

struct Claims {
  std::vector<Claim> claims;  // in the order of the plan
  std::string quarantined;    // why the device gets nothing; else empty
};

enum class Finished : std::uint8_t {
  stored,
  already_stored,  // this attempt, by an earlier call
  lease_lost,      // not the lease of this agent and device, or not any more: nothing was stored
};
std::string_view to_string(Finished finished);

struct FinishedShard {
  Attempt attempt;
  std::string device;
  double seconds = 0;  // device time that was spent
  std::vector<Record> records;
};

struct FailedShard {
  Attempt attempt;
  std::string agent;
  std::string device;  // empty: the device is not to blame
  std::string test;    // the test that ran last
  std::string reason;
};

struct Failure {
  bool lease_lost = false;          // nothing was noted
  bool shard_quarantined = false;   // by this failure
  bool device_quarantined = false;  // by this failure, or before
};

// The progress of the shards of a device class.
struct ClassStatus {
  std::string device_class;
  std::int64_t done = 0;
  std::int64_t running = 0;  // leased, before the deadline
  std::int64_t left = 0;     // neither done nor running nor quarantined
  std::int64_t quarantined = 0;
  double seconds_done = 0;  // planned seconds
  double seconds_left = 0;  // planned seconds, running ones included
  double rate = 0;          // planned seconds finished per second, over the last minutes; 0 if unknown
  // Seconds until all is done at this rate.
  std::optional<double> time_left() const;
};

struct CampaignStatus {
  StoredCampaign campaign;
  std::vector<ClassStatus> classes;  // by name

  // Every shard is done or quarantined.
  bool over() const;
};

struct QuarantinedShard {
  std::string shard;
  std::string test;    // the test that ran last
  std::string reason;  // the last failure's
};

struct QuarantinedDevice {
  std::string device;
  std::string test;  // its last one
  std::string reason;
  Time since;
};

// The result of a shard.
struct ShardResult {
  std::string shard;
  std::int64_t position = 0;  // in the plan
  std::int64_t attempt = 0;
  std::string agent;
  std::string device;
  double seconds = 0;
  std::vector<StoredRecord> records;
};

class CampaignStore {
 public:
  // The database must outlive this.
  explicit CampaignStore(Database& database) : database_(database), records_(database) {}

  // True if the campaign is new. The same id with another document or other shards is an error.
  base::Result<bool> create(const Campaign& campaign, std::span<const Shard> shards, Time now);
  // Ordered by time of creation.
  base::Result<std::vector<StoredCampaign>> campaigns();
  // By id, or by name if only one has it.
  base::Result<StoredCampaign> find(const std::string& id_or_name);

  base::Result<Claims> claim(const ClaimRequest& request, Time now);
  // Moves the deadlines to `now` + lease. Gives those whose lease is lost: stop them.
  base::Result<std::vector<Attempt>> extend(const std::string& agent, std::span<const Attempt> attempts, Duration lease,
                                            Time now);
  base::Result<Finished> finish(const std::string& agent, const FinishedShard& shard, Time now);
  // Several in one transaction: what an agent with short shards should do.
  base::Result<std::vector<Finished>> finish(const std::string& agent, std::span<const FinishedShard> shards, Time now);
  // The shard can be claimed again, after those that never failed. Three failures quarantine a shard; failures of
  // three different shards without a success in between quarantine a device.
  base::Result<Failure> fail(const FailedShard& failed, Time now);
  // Gives shards back that were never begun; no failure is counted.
  base::Status release(const std::string& agent, std::span<const Attempt> attempts, Time now);

  base::Status pause(const std::string& campaign);
  base::Status resume(const std::string& campaign);
  base::Result<CampaignStatus> status(const std::string& campaign, Time now);
  base::Result<std::vector<QuarantinedShard>> quarantined_shards(const std::string& campaign);
  base::Result<std::vector<QuarantinedDevice>> quarantined_devices();
  // Lets quarantined shards, or a device, try again.
  base::Status pardon_shards(const std::string& campaign, Time now);
  base::Status pardon_device(const std::string& device);

  // Calls `visit` for each finished shard in the order of the plan, until it fails.
  base::Status visit_results(const std::string& campaign, const std::function<base::Status(const ShardResult&)>& visit);

 private:
  base::Result<Claims> claim_within(const ClaimRequest& request, Time now);
  base::Result<std::vector<Claim>> claim_of(const std::string& campaign, const std::string& device_class,
                                            const ClaimRequest& request, std::size_t most, Time now);
  base::Result<std::vector<Claim>> claim_at_once(const ClaimRequest& request, Time now);
  base::Result<Finished> finish_within(const std::string& agent, const FinishedShard& shard, Time now);
  base::Result<bool> note_device_failure(const FailedShard& failed, std::int64_t position, Time now);
  base::Status set_paused(const std::string& campaign, bool paused);

  Database& database_;
  ResultStore records_;
};

}  // namespace weakspot::store
