import type { ElementState, PickedState, PickerElement } from './input-schema.ts';

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
