/** The first text after all those with a prefix: `[prefix, afterPrefix(prefix))` can use an index. */
export function afterPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
