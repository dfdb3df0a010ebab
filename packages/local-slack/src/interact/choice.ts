import { type Element, optionsOf } from './elements.ts';
import { type ElementState, holdsState, readState } from './modal/state.ts';
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
