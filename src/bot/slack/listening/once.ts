/** Whether a key is seen for the first time, as far as is remembered. */
export type Once = (key: string) => boolean;

/** Remembers the last few thousand keys; a restart forgets them all. */
export function createOnce(most = 5_000): Once {
  const known = new Set<string>();
  return (key) => {
    if (known.has(key)) return false;
    const [oldest] = known;
    if (known.size >= most && oldest !== undefined) known.delete(oldest);
    known.add(key);
    return true;
  };
}
