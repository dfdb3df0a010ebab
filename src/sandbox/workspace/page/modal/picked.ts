import type { ElementState, PickedState, PickerElement } from './input-schema.ts';

/** What a picker holds, in the words of its kind. */
export function pickedState(type: PickerElement['type'], value: string | null): PickedState {
  switch (type) {
    case 'datepicker':
      return { type, selected_date: value };
    case 'timepicker':
      return { type, selected_time: value };
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

/** What a picker holds; `null` where it holds nothing. */
export function pickedIn(state: ElementState | undefined): string | null {
  if (!state || !isPicked(state)) return null;
  const { type: _, ...held } = state;
  const [value] = Object.values(held);
  return value ?? null;
}
