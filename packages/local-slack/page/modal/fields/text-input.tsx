import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { ariaOf, type FieldLabels } from '../form.ts';
import type { ElementState, TextInputElement } from '../input-schema.ts';

const DISPATCH_MS = 300;
const KEYBOARDS = {
  plain_text_input: 'text',
  number_input: 'decimal',
  url_text_input: 'url',
  email_text_input: 'email',
} as const;

interface Props {
  element: TextInputElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  dispatches: boolean;
  onChange: (state: ElementState) => void;
  onDispatch: (state: ElementState) => void;
}

/** A line, or several, of text. Where the app wants to know while one types, it is told after a short pause. */
export function TextInput({ element, state, labels, dispatches, onChange, onDispatch }: Props) {
  const { type, multiline, max_length, placeholder } = element;
  const triggers = dispatches
    ? (element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'])
    : [];
  const [strokes, setStrokes] = useState(0);
  const value = state && 'value' in state ? (state.value ?? '') : '';
  const holding = (text: string): ElementState => ({ type, value: text === '' ? null : text });

  const tell = useEffectEvent(() => onDispatch(holding(value)));
  const tellsWhileTyping = triggers.includes('on_character_entered');
  useEffect(() => {
    if (strokes === 0 || !tellsWhileTyping) return;
    const timer = setTimeout(() => tell(), DISPATCH_MS);
    return () => clearTimeout(timer);
  }, [strokes, tellsWhileTyping]);

  const props = {
    id: labels.id,
    className: 'control',
    value,
    placeholder: placeholder?.text,
    ...ariaOf(labels),
    onChange: (change: { target: { value: string } }) => {
      onChange(holding(change.target.value));
      setStrokes((count) => count + 1);
    },
    onKeyDown: (key: KeyboardEvent) => {
      if (key.key !== 'Enter' || key.shiftKey || key.nativeEvent.isComposing) return;
      if (!triggers.includes('on_enter_pressed')) return;
      key.preventDefault();
      onDispatch(holding(value));
    },
  };
  return (
    <>
      {multiline ? <textarea rows={4} {...props} /> : <input inputMode={KEYBOARDS[type]} {...props} />}
      {max_length !== undefined && <Remaining count={max_length - value.length} of={max_length} />}
    </>
  );
}

/** How many characters are left, once it matters. */
function Remaining({ count, of }: { count: number; of: number }) {
  if (count > Math.max(20, of / 10)) return null;
  return (
    <span className={count < 0 ? 'remaining over' : 'remaining'} title="Characters left">
      {count}
    </span>
  );
}
