/** Drops items with duplicate keys; the last of them stays, in the place of the first. */
export function distinctBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
