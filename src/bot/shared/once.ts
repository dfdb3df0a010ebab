/** Whether a key is seen for the first time, as far as the last few thousand keys tell; a restart forgets them all. */
export function createOnce(most = 5_000): (key: string) => boolean {
  const known = new Set<string>();
  return (key) => {
    if (known.has(key)) return false;
    const [oldest] = known;
    if (known.size >= most && oldest !== undefined) known.delete(oldest);
    known.add(key);
    return true;
  };
}
