// SPDX-License-Identifier: MIT
// Makes weakspot-VERSION.vsix: the extension with the protocol library in one file. Needs the packages that 'npm ci'
// installs, and no network. The same files give the same bytes.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const read = (name) => readFileSync(join(here, name));
const extension = JSON.parse(read("package.json"));

const bundle = await build({
  entryPoints: [join(here, "extension.js")],
  bundle: true,
  platform: "node",
  target: "node16",
  format: "cjs",
  external: ["vscode"],
  minify: true,
  legalComments: "inline",
  write: false,
});

const contributed = extension.contributes;
const copied = [
  "README.md",
  "LICENSE",
  extension.icon,
  ...contributed.languages.map((language) => language.configuration).filter(Boolean),
  ...contributed.grammars.map((grammar) => grammar.path),
];
const { scripts, dependencies, devDependencies, ...manifest } = extension;
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

const vsix = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${extension.name}" Version="${extension.version}" Publisher="${extension.publisher}"/>
    <DisplayName>${escaped(extension.displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(extension.description)}</Description>
    <Categories>${escaped(extension.categories.join(","))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(extension.engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE</License>
    <Icon>extension/${extension.icon}</Icon>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/${extension.icon}" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".png" ContentType="image/png"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
  <Override PartName="/extension/LICENSE" ContentType="text/plain"/>
</Types>
`;

const files = [
  ["extension.vsixmanifest", Buffer.from(vsix)],
  ["[Content_Types].xml", Buffer.from(types)],
  ["extension/package.json", Buffer.from(JSON.stringify(manifest, null, 2) + "\n")],
  [`extension/${extension.main.replace("./", "")}`, Buffer.from(bundle.outputFiles[0].contents)],
  ...copied.map((name) => [`extension/${name.replace("./", "")}`, read(name)]),
];

const table = Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; ++bit) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n >>> 0;
});
const crc32 = (bytes) => ~bytes.reduce((crc, byte) => table[(crc ^ byte) & 255] ^ (crc >>> 8), ~0) >>> 0;

// A zip file (PKWARE's APPNOTE, 4.3): each file behind a header, then a directory. All times are 1980-01-01.
function zip(entries) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, bytes] of entries) {
    const packed = deflateRawSync(bytes, { level: 9 });
    const words = Buffer.alloc(26);
    [20, 0x0800, 8, 0, 0x21].forEach((value, i) => words.writeUInt16LE(value, 2 * i));
    [crc32(bytes), packed.length, bytes.length].forEach((value, i) => words.writeUInt32LE(value, 10 + 4 * i));
    words.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), words, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x03", "latin1"), words, rest, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

const name = `${extension.name}-${extension.version}.vsix`;
writeFileSync(join(here, name), zip(files));
console.log(`${name}: ${files.length} files`);
