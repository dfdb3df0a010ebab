import { z } from 'zod';
import { type Element, optionsOf } from '../elements.ts';
import { PersonError } from '../person-error.ts';

/** What one element holds, as Slack shapes it: `{ type: 'plain_text_input', value: 'x' }`. */
export type ElementState = Record<string, unknown>;

/** What a person has put in: by block, by action. */
export type ViewValues = Record<string, Record<string, ElementState>>;

type Kind = 'text' | 'id' | 'number' | 'option' | 'options' | 'ids';

/** What each kind of element holds: where its state says so, and where its own fields say what it begins with. */
const HOLDS: Readonly<Record<string, { as: string; initial: string; kind: Kind }>> = {
  plain_text_input: { as: 'value', initial: 'initial_value', kind: 'text' },
  number_input: { as: 'value', initial: 'initial_value', kind: 'text' },
  url_text_input: { as: 'value', initial: 'initial_value', kind: 'text' },
  email_text_input: { as: 'value', initial: 'initial_value', kind: 'text' },
  static_select: { as: 'selected_option', initial: 'initial_option', kind: 'option' },
  external_select: { as: 'selected_option', initial: 'initial_option', kind: 'option' },
  multi_external_select: { as: 'selected_options', initial: 'initial_options', kind: 'options' },
  radio_buttons: { as: 'selected_option', initial: 'initial_option', kind: 'option' },
  multi_static_select: { as: 'selected_options', initial: 'initial_options', kind: 'options' },
  checkboxes: { as: 'selected_options', initial: 'initial_options', kind: 'options' },
  users_select: { as: 'selected_user', initial: 'initial_user', kind: 'id' },
  multi_users_select: { as: 'selected_users', initial: 'initial_users', kind: 'ids' },
  channels_select: { as: 'selected_channel', initial: 'initial_channel', kind: 'id' },
  conversations_select: { as: 'selected_conversation', initial: 'initial_conversation', kind: 'id' },
  datepicker: { as: 'selected_date', initial: 'initial_date', kind: 'id' },
  timepicker: { as: 'selected_time', initial: 'initial_time', kind: 'id' },
  datetimepicker: { as: 'selected_date_time', initial: 'initial_date_time', kind: 'number' },
};

const Choice = z.looseObject({ value: z.string() });

const READ = {
  text: z.string().transform((text) => (text === '' ? null : text)),
  id: z.string(),
  number: z.number(),
  option: Choice,
  options: z.array(Choice),
  ids: z.array(z.string()),
} as const satisfies Record<Kind, z.ZodType>;

const empty = (kind: Kind) => (kind === 'options' || kind === 'ids' ? [] : null);

/** Whether what the element holds shows in a payload's `state`; a button holds nothing. */
export function holdsState({ type }: Element): boolean {
  return type in HOLDS;
}

/** What an element that nobody has touched holds. */
function initialState({ type, fields }: Element): ElementState {
  const holds = HOLDS[type];
  return holds ? { type, [holds.as]: fields[holds.initial] ?? empty(holds.kind) } : { type };
}

/** The element's own option of that value; those of an external list are the app's, and are taken as they come. */
function ownOption(element: Element, chosen: z.infer<typeof Choice>): unknown {
  if (element.type.endsWith('external_select')) return chosen;
  const option = optionsOf(element).find(({ value }) => value === chosen.value);
  if (!option) throw new PersonError('That choice is not among the options.');
  return option;
}

/**
 * What an element holds after a person has changed it.
 *
 * @param given a state of the element's type; empty if it says nothing.
 * @throws PersonError if that is no state of the element, or a choice that it does not offer.
 */
export function readState(element: Element, given: ElementState): ElementState {
  const { type } = element;
  const holds = HOLDS[type];
  if (!holds) return { type };
  const raw = given[holds.as];
  if (raw === undefined || raw === null) return { type, [holds.as]: empty(holds.kind) };
  const read = READ[holds.kind].safeParse(raw);
  if (!read.success) throw new PersonError(`A ${type} holds ${holds.kind} in \`${holds.as}\`.`);
  if (holds.kind === 'option') return { type, [holds.as]: ownOption(element, Choice.parse(read.data)) };
  if (holds.kind !== 'options') return { type, [holds.as]: read.data };
  return {
    type,
    [holds.as]: z
      .array(Choice)
      .parse(read.data)
      .map((one) => ownOption(element, one)),
  };
}

/** What every element holds: what a person has put in, and what was there before where they have not. */
export function filledIn(elements: readonly Element[], before: ViewValues, given: ViewValues): ViewValues {
  const values: ViewValues = {};
  for (const element of elements.filter(holdsState)) {
    const { block_id, action_id } = element;
    const now = given[block_id]?.[action_id];
    const state = now ? readState(element, now) : (before[block_id]?.[action_id] ?? initialState(element));
    values[block_id] = { ...values[block_id], [action_id]: state };
  }
  return values;
}
