import {
  type ElementState,
  type InputElement,
  inputElement,
  inputHolder,
  type OneOfElement,
  type PickedState,
  type PickerElement,
  type SomeOfElement,
  type Values,
} from './input-schema.ts';

/** An input of a modal, and the block that it is in. */
interface Input {
  block_id: string;
  element: InputElement;
}

/**
 * What the inputs of `blocks` hold. As in Slack, one whose `block_id`, `action_id` and kind were there before keeps
 * its value in `before`; any other starts with its own initial value.
 */
export function valuesOf(blocks: readonly unknown[], before: Values = {}): Values {
  const values: Values = {};
  for (const { block_id, element } of inputsOf(blocks)) {
    const kept = keptBy(element, before[block_id]?.[element.action_id]);
    values[block_id] = { ...values[block_id], [element.action_id]: kept ?? initialState(element) };
  }
  return values;
}

/** `values` with another state of one input. */
export function withState(values: Values, blockId: string, actionId: string, state: ElementState): Values {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: state } };
}

/** All options of an element, of its groups too. */
export function optionsOf({ options, option_groups }: OneOfElement | SomeOfElement): OneOfElement['options'] {
  return [...options, ...option_groups.flatMap((group) => group.options)];
}

/** The values of the options that an input holds. */
export function chosenIn(state: ElementState | undefined): ReadonlySet<string | undefined> {
  if (!state || 'value' in state || isPicked(state)) return new Set();
  if ('selected_options' in state) return new Set(state.selected_options.map(({ value }) => value));
  return new Set(state.selected_option ? [state.selected_option.value] : []);
}

/** What an input of several holds once `option` is chosen, or not any more; in the order they are offered. */
export function toggled(
  element: SomeOfElement,
  chosen: ReadonlySet<string | undefined>,
  option: SomeOfElement['options'][number],
): ElementState {
  const selected_options = optionsOf(element).filter(
    ({ value }) => chosen.has(value) !== (value === option.value),
  );
  return { type: element.type, selected_options };
}

function inputsOf(blocks: readonly unknown[]): Input[] {
  return blocks.flatMap((block) => {
    const holder = inputHolder.safeParse(block);
    if (!holder.success) return [];
    const { block_id, element, accessory, elements, child_blocks } = holder.data;
    const own = [element, accessory, ...elements].flatMap((candidate) => {
      const input = inputElement.safeParse(candidate);
      return input.success ? [{ block_id, element: input.data }] : [];
    });
    return [...own, ...inputsOf(child_blocks)];
  });
}

function initialState(element: InputElement): ElementState {
  switch (element.type) {
    case 'static_select':
    case 'radio_buttons':
    case 'external_select':
      return { type: element.type, selected_option: element.initial_option ?? null };
    case 'multi_static_select':
    case 'checkboxes':
    case 'multi_external_select':
      return { type: element.type, selected_options: element.initial_options };
    case 'datepicker':
      return pickedState(element.type, element.initial_date ?? null);
    case 'timepicker':
      return pickedState(element.type, element.initial_time ?? null);
    case 'datetimepicker':
      return { type: element.type, selected_date_time: element.initial_date_time ?? null };
    case 'users_select':
      return pickedState(element.type, element.initial_user ?? null);
    case 'channels_select':
      return pickedState(element.type, element.initial_channel ?? null);
    case 'conversations_select':
      return pickedState(element.type, element.initial_conversation ?? null);
    default:
      return { type: element.type, value: element.initial_value ?? null };
  }
}

/** An option that is offered no more is not kept. */
function keptBy(element: InputElement, before: ElementState | undefined): ElementState | undefined {
  if (before === undefined || before.type !== element.type) return undefined;
  if (!('options' in element) || 'value' in before || isPicked(before)) return before;
  const offered = new Set(optionsOf(element).map(({ value }) => value));
  if ('selected_option' in before) {
    return before.selected_option === null || offered.has(before.selected_option.value) ? before : undefined;
  }
  const selected_options = before.selected_options.filter(({ value }) => offered.has(value));
  return { ...before, selected_options };
}

/** What a picker holds, in the words of its kind; `value` as its control has it. */
export function pickedState(type: PickerElement['type'], value: string | null): PickedState {
  switch (type) {
    case 'datepicker':
      return { type, selected_date: value };
    case 'timepicker':
      return { type, selected_time: value };
    case 'datetimepicker':
      return { type, selected_date_time: value === null ? null : Date.parse(value) / 1000 };
    case 'users_select':
      return { type, selected_user: value };
    case 'channels_select':
      return { type, selected_channel: value };
    case 'conversations_select':
      return { type, selected_conversation: value };
  }
}

/** Whether it is a picker that holds this. */
export function isPicked(state: ElementState): state is PickedState {
  return !('value' in state || 'selected_option' in state || 'selected_options' in state);
}

/** What a picker holds, as its control has it; `null` if it holds nothing. */
export function pickedIn(state: ElementState | undefined): string | null {
  if (!state || !isPicked(state)) return null;
  if (state.type === 'datetimepicker') {
    return state.selected_date_time === null ? null : localMinute(state.selected_date_time);
  }
  const { type: _, ...held } = state;
  const [value] = Object.values(held);
  return value ?? null;
}

/** `2026-11-23T08:30`, by the clock on this person's wall. */
function localMinute(seconds: number): string {
  const at = new Date(seconds * 1000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
