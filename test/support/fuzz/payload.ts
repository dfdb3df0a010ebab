/** How Slack brings a payload: events as JSON, interactions as JSON in a form, commands as a form. */
export interface Payload {
  form: 'event' | 'interaction' | 'command';
  value: unknown;
}

const FORM = 'application/x-www-form-urlencoded';

export function decode(type: string, body: string): Payload {
  if (!type.startsWith(FORM)) return { form: 'event', value: JSON.parse(body) };
  const fields = new URLSearchParams(body);
  const payload = fields.get('payload');
  return payload === null
    ? { form: 'command', value: Object.fromEntries(fields) }
    : { form: 'interaction', value: JSON.parse(payload) };
}

/** A payload as it goes over HTTP. */
export function encode({ form, value }: Payload): { type: string; body: string } {
  if (form === 'event') return { type: 'application/json', body: toJson(value) };
  if (form === 'interaction') {
    return { type: FORM, body: `payload=${encodeURIComponent(toJson(value).toWellFormed())}` };
  }
  const fields = Object.entries(Object(value)).map(([name, field]) =>
    [name, typeof field === 'string' ? field : toJson(field)]
      .map((text) => encodeURIComponent(text.toWellFormed()))
      .join('='),
  );
  return { type: FORM, body: fields.join('&') };
}

/** What a subtree is written as where JSON's own writer could not go so deep. */
export interface Deep {
  deep: number;
  list: boolean;
}

const deeps = new WeakSet<object>();

export function deep(levels: number, list: boolean): Deep {
  const marker = { deep: levels, list };
  deeps.add(marker);
  return marker;
}

/** JSON, however deep. */
export function toJson(value: unknown): string {
  const nested: string[] = [];
  const text = JSON.stringify(value, (_key, inner) => {
    if (typeof inner !== 'object' || inner === null || !deeps.has(inner)) return inner;
    const { deep: levels, list } = inner;
    nested.push(
      list ? '['.repeat(levels) + ']'.repeat(levels) : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
    );
    return `\u0000deep ${nested.length - 1}`;
  });
  return (text ?? 'null').replace(/"\\u0000deep (\d+)"/gu, (_match, n) => nested[Number(n)] ?? 'null');
}

/** What kind of thing it is, as people speak of it: `block_actions issue:resolve`, `event message`. */
export function nameOf({ form, value }: Payload): string {
  const at = (...path: (string | number)[]): string => {
    const found = path.reduce<unknown>((inner, step) => Object(inner)[step], value);
    return typeof found === 'string' ? found : '';
  };
  if (form === 'command') return `command ${at('command')}`;
  if (form === 'event') return ['event', at('event', 'type'), at('event', 'subtype')].join(' ').trim();
  return [at('type'), at('callback_id'), at('view', 'callback_id'), at('actions', 0, 'action_id')]
    .filter((word) => word !== '')
    .join(' ');
}
