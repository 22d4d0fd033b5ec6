/** The pictures of users. */

import { h } from "./dom";

const MOST_BYTES = 32 * 1024; // as the server admits
const SIDE = 256;
const QUALITIES = [0.9, 0.75, 0.6, 0.4];

/**
 * The middle square of an image file as a small JPEG image: photos of phones have megabytes.
 *
 * @throws if the browser cannot read the file as an image.
 */
export async function smallPicture(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const image = await createImageBitmap(file);
  const from = Math.min(image.width, image.height);
  const to = Math.min(from, SIDE);
  const canvas = h("canvas", { width: String(to), height: String(to) });
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#fff"; // JPEG has no transparency
  context.fillRect(0, 0, to, to);
  context.drawImage(image, (image.width - from) / 2, (image.height - from) / 2, from, from, 0, 0, to, to);
  image.close();
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
    if (blob && blob.size <= MOST_BYTES) return new Uint8Array(await blob.arrayBuffer());
  }
  throw new Error("the picture stays too large");
}

/** The address of a picture for a page that is one folder deep: the URL can have another host than the page. */
export function pictureAddress(pictureUri: string): string {
  return pictureUri && `../pictures/${pictureUri.split("/").at(-1)}`;
}
