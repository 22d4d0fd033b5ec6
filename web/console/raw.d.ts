/** Files that Vite includes as text. */
declare module "*?raw" {
  const text: string;
  export default text;
}
