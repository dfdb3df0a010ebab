/** Long enough for what must not happen to have happened. */
export function aWhile(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 800));
}
