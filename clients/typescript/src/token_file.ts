import { readFile, stat } from "node:fs/promises";

/** The token in a file, read again when the file was replaced. */
export function tokenFile(path: string): () => Promise<string> {
  let version = "";
  let token = "";
  return async () => {
    const { ino, mtimeMs } = await stat(path);
    if (version !== `${ino} ${mtimeMs}`) {
      token = (await readFile(path, "utf8")).trim();
      version = `${ino} ${mtimeMs}`;
    }
    return token;
  };
}
