// A position as a picture, and a match as one that moves, to keep or to send.
//
// An SVG takes the styles of the page with it. The moving picture is an APNG: the frames are PNGs of the
// browser, whose compressed rows are put behind one another in one file (RFC 2083 and the APNG specification).

const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity",
  "stop-color", "font-family", "font-size", "font-weight", "letter-spacing", "text-anchor", "dominant-baseline",
];
const HIDDEN = ".cells, .aim, script";

/** The board as an SVG that stands alone, on the colour that the page has behind it. */
export function svgText(board: SVGSVGElement): string {
  const copy = board.cloneNode(true) as SVGSVGElement;
  const [from, to] = [board, copy].map((svg) => [...svg.querySelectorAll<SVGElement>("*")]);
  (from as SVGElement[]).forEach((element, i) => {
    const style = getComputedStyle(element);
    const target = (to as SVGElement[])[i] as SVGElement;
    for (const name of ["class", "style"]) target.removeAttribute(name);
    // As attributes: the policy of the page forbids styles that stand in a document.
    for (const name of STYLES) target.setAttribute(name, style.getPropertyValue(name));
    const scale = style.getPropertyValue("scale");
    if (scale !== "none") target.setAttribute("transform", `scale(${scale}) ${element.getAttribute("transform") ?? ""}`);
  });
  const taken = [...board.querySelectorAll(HIDDEN)].map((element) => (from as Element[]).indexOf(element));
  for (const i of taken) (to as Element[])[i]?.remove();
  const [, , width, height] = (board.getAttribute("viewBox") ?? "0 0 800 800").split(" ");
  for (const name of ["style", "class", "role", "aria-label"]) copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width ?? "800");
  copy.setAttribute("height", height ?? "800");
  const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  back.setAttribute("width", "100%");
  back.setAttribute("height", "100%");
  back.setAttribute("fill", getComputedStyle(document.documentElement).backgroundColor);
  copy.prepend(back);
  return new XMLSerializer().serializeToString(copy);
}

/** The board as a PNG of about so many pixels across. */
export async function png(board: SVGSVGElement, across: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(board))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = across;
  canvas.height = Math.round((across * image.height) / image.width);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("The browser has made no picture."))), "image/png"),
  );
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function chunk(kind: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  [...kind].forEach((letter, i) => (bytes[4 + i] = letter.charCodeAt(0)));
  bytes.set(data, 8);
  let crc = 0xffffffff;
  for (let i = 4; i < 8 + data.length; i++) crc = (CRC[(crc ^ (bytes[i] ?? 0)) & 255] ?? 0) ^ (crc >>> 8);
  view.setUint32(8 + data.length, (crc ^ 0xffffffff) >>> 0);
  return bytes;
}

/** The chunks of a PNG. */
export function chunksOf(file: Uint8Array): { kind: string; data: Uint8Array }[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const found: { kind: string; data: Uint8Array }[] = [];
  for (let at = 8; at + 12 <= file.length; ) {
    const length = view.getUint32(at);
    found.push({ kind: String.fromCharCode(...file.subarray(at + 4, at + 8)), data: file.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return found;
}

/** PNGs of one size, one after the other, each for so many milliseconds, again and again. */
export function apng(frames: Uint8Array[], milliseconds: number[]): Uint8Array {
  const signature = (frames[0] as Uint8Array).subarray(0, 8);
  const head = chunksOf(frames[0] as Uint8Array).find((one) => one.kind === "IHDR")?.data as Uint8Array;
  const numbered = (numbers: number[], rest: number[] = []): Uint8Array => {
    const data = new Uint8Array(4 * numbers.length + rest.length);
    numbers.forEach((n, i) => new DataView(data.buffer).setUint32(4 * i, n));
    data.set(rest, 4 * numbers.length);
    return data;
  };
  const size = new DataView(head.buffer, head.byteOffset);
  const parts = [signature, chunk("IHDR", head), chunk("acTL", numbered([frames.length, 0]))];
  let sequence = 0;
  frames.forEach((frame, i) => {
    const delay = milliseconds[i] ?? 500;
    const times = [delay >> 8, delay & 255, 1000 >> 8, 1000 & 255, 0, 0];
    parts.push(chunk("fcTL", numbered([sequence++, size.getUint32(0), size.getUint32(4), 0, 0], times)));
    for (const { kind, data } of chunksOf(frame)) {
      if (kind !== "IDAT") continue;
      parts.push(i === 0 ? chunk("IDAT", data) : chunk("fdAT", new Uint8Array([...numbered([sequence++]), ...data])));
    }
  });
  parts.push(chunk("IEND", new Uint8Array()));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Let the browser save a file. */
export function download(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
