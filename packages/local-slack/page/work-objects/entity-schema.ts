import { z } from 'zod';

const text = z.string().optional().catch(undefined);

/** A field. Malformed parts are left out. */
const field = z.object({
  key: text,
  label: text,
  type: text,
  value: z.union([z.string(), z.number()]).optional().catch(undefined),
  link: text,
  long: z.boolean().default(false).catch(false),
  tag_color: text,
  user: z
    .union([z.object({ user_id: z.string() }), z.object({ text: z.string() })])
    .optional()
    .catch(undefined),
});
type Field = z.infer<typeof field>;

const action = z.object({ text: z.string(), action_id: z.string(), url: text, style: text });

/** The parts of a Work Object that the page draws. */
export const entitySchema = z.object({
  external_ref: z.object({ id: z.string() }),
  url: text,
  entity_payload: z.object({
    attributes: z.object({
      title: z.object({ text: z.string() }),
      display_id: text,
      display_type: text,
      product_name: text,
    }),
    fields: z.record(z.string(), field).default({}).catch({}),
    custom_fields: z.array(field).default([]).catch([]),
    display_order: z.array(z.string()).default([]).catch([]),
    actions: z
      .object({
        primary_actions: z.array(action).default([]),
        overflow_actions: z.array(action).default([]),
      })
      .default({ primary_actions: [], overflow_actions: [] }),
  }),
});
export type Entity = z.infer<typeof entitySchema>;

/** One line of a Work Object. */
export interface Fact {
  key: string;
  label: string;
  /** A text, a time in milliseconds, or a person's id. */
  value: { text: string } | { at: number } | { user: string };
  link: string | undefined;
  color: string | undefined;
  long: boolean;
}

/** The fields of a Work Object, in its `display_order`. */
export function factsOf({ entity_payload: { fields, custom_fields, display_order } }: Entity): Fact[] {
  const own = Object.entries(fields).map(([key, one]) => factOf(key, one, key.startsWith('date_')));
  const facts = [...own, ...custom_fields.map((one) => factOf(one.key ?? '', one, isMoment(one)))].flatMap(
    (fact) => fact ?? [],
  );
  const rank = ({ key }: Fact) => (display_order.includes(key) ? display_order.indexOf(key) : facts.length);
  return facts.toSorted((a, b) => rank(a) - rank(b));
}

const isMoment = ({ type }: Field) => type === 'slack#/types/timestamp';

function factOf(
  key: string,
  { value, label, link, tag_color, long, user }: Field,
  isDate: boolean,
): Fact | null {
  const shown = { key, label: label ?? wordsOf(key), link, color: tag_color, long };
  if (user !== undefined) {
    return { ...shown, value: 'user_id' in user ? { user: user.user_id } : { text: user.text } };
  }
  if (value === undefined) return null;
  return { ...shown, value: isDate ? { at: Number(value) * 1_000 } : { text: String(value) } };
}

/** `date_created` as people read it. */
function wordsOf(key: string): string {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
