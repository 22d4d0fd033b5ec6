/** Images that the server has stored. */

import { h } from "./dom";

/** Media types of images by first byte; the server accepts no other images. */
const MEDIA_TYPES: readonly (readonly [firstByte: number, mediaType: string])[] = [
  [0x89, "image/png"],
  [0xff, "image/jpeg"],
  [0x52, "image/webp"],
];

/** A picture beside text with the same meaning; undefined without an image. */
export function imageOf(image: Uint8Array, pixels: number): HTMLImageElement | undefined {
  const type = MEDIA_TYPES.find(([firstByte]) => image[0] === firstByte)?.[1];
  if (!type) return undefined;
  const address = URL.createObjectURL(new Blob([image as Uint8Array<ArrayBuffer>], { type }));
  const freed = () => URL.revokeObjectURL(address);
  const size = String(pixels);
  return h("img", { src: address, alt: "", width: size, height: size, onload: freed, onerror: freed });
}
