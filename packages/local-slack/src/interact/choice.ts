import { type Element, optionsOf } from './elements.ts';
import { type ElementState, holdsState, readState, type ViewValues } from './modal/views.ts';
import { PersonError } from './person-error.ts';

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
