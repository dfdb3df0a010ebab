/** Every string in a value with its path; the path of a text object names its type, e.g. `[0].text.mrkdwn:text`. */
export function allStrings(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => allStrings(item, `${path}[${index}]`));
  const type = stringAt(value, 'type');
  return Object.entries(value).flatMap(([key, item]) =>
    allStrings(item, key === 'text' ? `${path}.${type}:${key}` : `${path}.${key}`),
  );
}

function stringAt(value: object, key: string): string {
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === 'string' ? found : '';
}
