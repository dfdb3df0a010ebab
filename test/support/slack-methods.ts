import { WebClient } from '@slack/web-api';

function namesIn(value: unknown, path: string[], depth: number): string[] {
  if (typeof value === 'function') return path.length > 1 ? [path.join('.')] : [];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.entries(value).flatMap(([key, inner]) => namesIn(inner, [...path, key], depth - 1));
}

const known = new Set(
  Object.entries(new WebClient()).flatMap(([family, value]) => namesIn(value, [family], 4)),
);

/** The methods of Slack's Web API that a source text calls (`client.chat.update(…)`) or names (`'chat.update'`). */
export function webApiMethodsIn(source: string): string[] {
  const called = [...source.matchAll(/\.\s*([a-z]\w*(?:\s*\.\s*[a-zA-Z]\w*){1,3})\s*\(/g)];
  const named = [...source.matchAll(/['"`]([a-z]\w*(?:\.[a-zA-Z]\w*){1,3})['"`]/g)];
  const found = [...called, ...named].flatMap((match) => {
    const parts = (match[1] ?? '').split(/\s*\.\s*/);
    // `this.web.chat.update(` begins with names that are not Slack's.
    return parts.map((_, start) => parts.slice(start).join('.')).filter((name) => known.has(name));
  });
  return [...new Set(found)].sort();
}
