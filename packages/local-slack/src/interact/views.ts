import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Block } from '../entities.ts';
import { PersonError, SlackError } from '../errors.ts';
import { newHex, newId, type Random } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { normaliseBlocks } from '../messages/normalise.ts';
import type { PageView } from '../page-api.ts';
import type { PageBus } from '../page-bus.ts';
import type { Modal } from '../validate/check.ts';
import { type Element, elementsIn, optionsOf } from './elements.ts';

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
function readState(element: Element, given: ElementState): ElementState {
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

/** The open modals. Like the screens they are on, they do not outlive a restart. */
export interface Views {
  /** @throws SlackError `duplicate_external_id`. */
  open(user: string, modal: Modal): OpenView;
  /**
   * Lays a modal on top of one that is open.
   *
   * @throws SlackError `push_limit_reached`, `duplicate_external_id`.
   */
  push(below: OpenView, modal: Modal): OpenView;
  /**
   * Puts another modal in the place of an open one; what was put in stays where block and action are the same.
   *
   * @throws SlackError `duplicate_external_id`.
   */
  update(view: OpenView, modal: Modal): OpenView;
  /** Notes what the person has put in. */
  fill(view: OpenView, values: ViewValues): OpenView;
  get(id: string): OpenView | undefined;
  named(external_id: string): OpenView | undefined;
  /** A person's open modals, the one on top last. */
  of(user: string): OpenView[];
  /** The modals that lie on each other together with this one, the one on top last. */
  stackOf(view: OpenView): OpenView[];
  close(id: string): void;
}

interface ViewDeps {
  clock: Clock;
  random: Random;
  page: PageBus;
}

export function createViews({ clock, random, page }: ViewDeps): Views {
  const views = new Map<string, OpenView>();
  const named = (external_id: string) =>
    [...views.values()].find(({ modal }) => modal.external_id === external_id);

  type Place = Pick<OpenView, 'id' | 'user' | 'root' | 'previous'>;
  const show = ({ id, user, root, previous }: Place, modal: Modal, before: ViewValues): OpenView => {
    const twin = modal.external_id ? named(modal.external_id) : undefined;
    if (twin && twin.id !== id) throw new SlackError('duplicate_external_id');
    const blocks = normaliseBlocks(random, modal.blocks, views.get(id)?.blocks);
    const hash = `${Math.floor(clock.now() / 1000)}.${newHex(random, 4)}`;
    const values = filledIn(elementsIn(blocks), before, {});
    const view: OpenView = { id, user, hash, modal, blocks, values, root, previous };
    views.set(id, view);
    page.emit({ type: 'view', view: onPage(view) });
    return view;
  };
  const stackOf = ({ root }: OpenView) => [...views.values()].filter((view) => view.root === root);

  return {
    open: (user, modal) => {
      const id = newId(random, 'V');
      return show({ id, user, root: id, previous: null }, modal, {});
    },
    push: (below, modal) => {
      if (stackOf(below).length >= LIMITS.viewStack) throw new SlackError('push_limit_reached');
      const { user, root, id: previous } = below;
      return show({ id: newId(random, 'V'), user, root, previous }, modal, {});
    },
    update: (view, modal) => show(view, modal, view.values),
    fill: (view, values) => {
      const filled = { ...view, values };
      views.set(view.id, filled);
      return filled;
    },
    get: (id) => views.get(id),
    named,
    of: (user) => [...views.values()].filter((view) => view.user === user),
    stackOf,
    close: (id) => {
      const view = views.get(id);
      if (!view) return;
      views.delete(id);
      page.emit({ type: 'view_closed', user: view.user, id });
    },
  };
}

/** A modal that a person has open. */
export interface OpenView {
  id: string;
  /** Whose screen it is on. */
  user: string;
  hash: string;
  modal: Modal;
  blocks: Block[];
  /** What every element holds now. */
  values: ViewValues;
  /** The first of its stack. */
  root: string;
  /** The one below it. */
  previous: string | null;
}

export function onPage({ id, user, hash, modal, blocks }: OpenView): PageView {
  const { title, submit, close } = modal;
  return { id, user, hash, title, ...(submit && { submit }), ...(close && { close }), blocks };
}

/**
 * What an action's payload says was pressed or chosen: a button's text and value, which of two feedback buttons, an
 * option of an overflow menu, or what an element holds now.
 *
 * @param given as the element's state: `{ selected_option: { value } }`, `{ value }`.
 * @throws PersonError if the element does not offer that choice.
 */
export function chosen(element: Element, given: ElementState): object {
  const { type, fields } = element;
  if (holdsState(element)) return readState(element, given);
  if (type === 'overflow') {
    const { selected_option: wanted } = given;
    const value = typeof wanted === 'object' && wanted !== null ? Reflect.get(wanted, 'value') : undefined;
    const selected_option = optionsOf(element).find((option) => option.value === value);
    if (!selected_option) throw new PersonError('That choice is not among the options.');
    return { selected_option };
  }
  const { text, style } = fields;
  const value = type === 'feedback_buttons' ? given.value : fields.value;
  return {
    ...(text !== undefined && { text }),
    ...(value !== undefined && { value }),
    ...(style !== undefined && { style }),
  };
}

/**
 * The state of message elements in each person's client: ticked boxes, selected options. It does not survive a
 * restart, as in a real client.
 */
export interface ElementStates {
  of(user: string, channel: string, ts: string): ViewValues;
  put(user: string, channel: string, ts: string, values: ViewValues): void;
}

const MAX_ENTRIES = 2_000;

export function createElementStates(): ElementStates {
  const states = new Map<string, ViewValues>();
  const key = (...parts: string[]) => parts.join(' ');
  return {
    of: (user, channel, ts) => states.get(key(user, channel, ts)) ?? {},
    put: (user, channel, ts, values) => {
      states.delete(key(user, channel, ts));
      states.set(key(user, channel, ts), values);
      const [oldest] = states.keys();
      if (states.size > MAX_ENTRIES && oldest !== undefined) states.delete(oldest);
    },
  };
}
