// SPDX-License-Identifier: MIT
// Files for the reader: texts, pictures as SVG and PNG.

export function save_blob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file_name(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function save_text(text: string, name: string, type = "text/plain"): void {
  save_blob(new Blob([text], { type: `${type};charset=utf-8` }), name);
}

// The name of a test may hold anything; the name of a file may not.
export function file_name(name: string): string {
  return name.replace(/[^A-Za-z0-9.+_-]+/g, "_").replace(/^[._-]+/, "").slice(0, 100) || "test";
}

export async function png_of(svg: string, scale = 2): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(image.width * scale);
    canvas.height = Math.ceil(image.height * scale);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("this browser cannot draw on a canvas");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((settle, fail) =>
      canvas.toBlob((blob) => (blob === null ? fail(new Error("the picture is too large")) : settle(blob)), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

// `animation` is the same picture in motion, if there is one.
export function SavePicture({ svg, name, animation = svg }: { svg: string; name: string; animation?: string }) {
  return (
    <p class="actions">
      <button type="button" onClick={() => save_text(svg, `${name}.svg`, "image/svg+xml")}>
        Save SVG
      </button>
      <button type="button" onClick={() => void png_of(svg).then((blob) => save_blob(blob, `${name}.png`))}>
        Save PNG
      </button>
      {animation === svg ? null : (
        <button type="button" onClick={() => save_text(animation, `${name}-animated.svg`, "image/svg+xml")}>
          Save animation
        </button>
      )}
    </p>
  );
}
