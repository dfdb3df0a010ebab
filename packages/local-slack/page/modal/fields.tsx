import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import type { SuggestOutcome } from '../../src/page-api.ts';
import { EmojiText } from '../blocks/elements.tsx';
import type { Option } from '../blocks/schema.ts';
import { channelsFor, isWithApp } from '../model/place.ts';
import { each } from '../ui/basics.tsx';
import { useDesk } from '../ui/desk.ts';
import { ariaOf, type FieldLabels } from './form.ts';
import type {
  ElementState,
  ExternalElement,
  OneOfElement,
  PickerElement,
  SomeOfElement,
  TextInputElement,
} from './input-schema.ts';
import { chosenIn, optionsOf, pickedIn, pickedState, toggled } from './values.ts';

interface ChoicesProps {
  element: OneOfElement | SomeOfElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  onChoose: (state: ElementState) => void;
}

/** Radio buttons, of which one is chosen, or boxes to tick. */
export function Choices({ element, state, labels, onChoose }: ChoicesProps) {
  const isOne = !('initial_options' in element);
  const chosen = chosenIn(state);
  const choose = (option: Option) => {
    if ('initial_options' in element) onChoose(toggled(element, chosen, option));
    else onChoose({ type: element.type, selected_option: option });
  };
  return (
    <div id={labels.id} role={isOne ? 'radiogroup' : 'group'} className="choices" {...ariaOf(labels)}>
      {element.options.map((option) => (
        <label key={option.value} className="choice">
          <input
            type={isOne ? 'radio' : 'checkbox'}
            name={labels.id}
            checked={chosen.has(option.value)}
            onChange={() => choose(option)}
          />
          <span>
            <EmojiText text={option.text.text} />
            {option.description !== undefined && <small>{option.description.text}</small>}
          </span>
        </label>
      ))}
    </div>
  );
}

interface SelectProps {
  element: OneOfElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  onChoose: (state: ElementState) => void;
}

/** A list to choose one option of; an optional one can be emptied again. */
export function Select({ element, state, labels, onChoose }: SelectProps) {
  const { type, placeholder, options, option_groups } = element;
  const chosen = state && 'selected_option' in state ? state.selected_option?.value : undefined;
  const choose = (value: string) => {
    const option = optionsOf(element).find((candidate) => candidate.value === value);
    onChoose({ type, selected_option: option ?? null });
  };
  const entries = (list: typeof options) =>
    list.map(({ value, text }) => (
      <option key={value} value={value}>
        {text.text}
      </option>
    ));
  return (
    <select
      id={labels.id}
      className={chosen === undefined ? 'control empty' : 'control'}
      value={chosen ?? ''}
      {...ariaOf(labels)}
      onChange={(change) => choose(change.target.value)}
    >
      <option value="" disabled={!labels.isOptional}>
        {placeholder?.text ?? 'Choose an option'}
      </option>
      {entries(options)}
      {option_groups.map(({ label, options: grouped }) => (
        <optgroup key={label.text} label={label.text}>
          {entries(grouped)}
        </optgroup>
      ))}
    </select>
  );
}

const FILTER_FROM = 9;

interface MultiSelectProps {
  element: SomeOfElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  onChoose: (state: ElementState) => void;
}

/** A list for choosing several options: the field shows the chosen ones, and the list opens below it. */
export function MultiSelect({ element, state, labels, onChoose }: MultiSelectProps) {
  const listId = useId();
  const [filter, setFilter] = useState('');
  const chosen = chosenIn(state);
  const all = optionsOf(element);
  const tokens = all.filter(({ value }) => chosen.has(value));
  const isShown = ({ text }: (typeof all)[number]) =>
    text.text.toLowerCase().includes(filter.trim().toLowerCase());
  const entries = (options: typeof all) =>
    options.filter(isShown).map((option) => (
      <label key={option.value} className="choice">
        <input
          type="checkbox"
          checked={chosen.has(option.value)}
          onChange={() => onChoose(toggled(element, chosen, option))}
        />
        <EmojiText text={option.text.text} />
      </label>
    ));
  return (
    <>
      <button
        type="button"
        id={labels.id}
        className="control multi"
        popoverTarget={listId}
        aria-haspopup="dialog"
        {...ariaOf(labels)}
        aria-description={tokens.map(({ text }) => text.text).join(', ') || 'Nothing selected'}
      >
        {each(tokens, ({ text }) => (
          <span className="token">
            <EmojiText text={text.text} />
          </span>
        ))}
        {tokens.length === 0 && (
          <span className="empty-choice">{element.placeholder?.text ?? 'Choose options'}</span>
        )}
      </button>
      <div
        id={listId}
        popover="auto"
        role="dialog"
        aria-label={element.placeholder?.text ?? 'Options'}
        className="choice-list"
      >
        {all.length >= FILTER_FROM && (
          <input
            className="control"
            placeholder="Filter"
            aria-label="Filter"
            value={filter}
            onChange={(change) => setFilter(change.target.value)}
            // Enter would send the form.
            onKeyDown={(key) => key.key === 'Enter' && key.preventDefault()}
          />
        )}
        {entries(element.options)}
        {element.option_groups.map((group) => (
          <fieldset key={group.label.text}>
            <legend>{group.label.text}</legend>
            {entries(group.options)}
          </fieldset>
        ))}
      </div>
    </>
  );
}

interface PickerProps {
  element: PickerElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  onChoose: (state: ElementState) => void;
}

/** What the browser calls the controls of dates and times. */
const CONTROLS: Partial<Record<PickerElement['type'], string>> = {
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'datetime-local',
};

/** A date, a time, both, a person or a channel. */
export function Picker({ element, state, labels, onChoose }: PickerProps) {
  const offered = useOffered(element.type);
  const value = pickedIn(state) ?? '';
  const shared = {
    id: labels.id,
    className: value === '' ? 'control empty' : 'control',
    value,
    ...ariaOf(labels),
    onChange: (change: { target: { value: string } }) =>
      onChoose(pickedState(element.type, change.target.value || null)),
  };
  if (offered === null) return <input type={CONTROLS[element.type]} {...shared} />;
  return (
    <select {...shared}>
      <option value="" disabled={!labels.isOptional}>
        {element.placeholder?.text ?? 'Choose'}
      </option>
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Whom or what a list offers; `null` for dates and times. */
function useOffered(type: PickerElement['type']): { id: string; name: string }[] | null {
  const { workspace, as } = useDesk();
  if (type in CONTROLS) return null;
  if (type === 'users_select') {
    return workspace.users
      .filter((user) => !user.is_bot)
      .map(({ id, name, real_name }) => ({ id, name: real_name || name }));
  }
  return channelsFor(workspace, as)
    .filter((channel) => !channel.is_im || (type === 'conversations_select' && isWithApp(channel)))
    .map(({ id, name, is_im }) => ({ id, name: is_im ? `@${name}` : `#${name}` }));
}

const DISPATCH_MS = 300;
const KEYBOARDS = {
  plain_text_input: 'text',
  number_input: 'decimal',
  url_text_input: 'url',
  email_text_input: 'email',
} as const;

interface TextInputProps {
  element: TextInputElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  dispatches: boolean;
  onChange: (state: ElementState) => void;
  onDispatch: (state: ElementState) => void;
}

/** A line, or several, of text. Where the app wants to know while one types, it is told after a short pause. */
export function TextInput({ element, state, labels, dispatches, onChange, onDispatch }: TextInputProps) {
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

const PAUSE_MS = 300;

interface Props {
  element: ExternalElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  /** What the app offers for what is typed. */
  suggest: (typed: string) => Promise<SuggestOutcome>;
  onChoose: (state: ElementState) => void;
}

/** A list with options from the app, which is asked after each pause in typing. The chosen ones are shown above. */
export function ExternalSelect({ element, state, labels, suggest, onChoose }: Props) {
  const { type, min_query_length, placeholder } = element;
  const isOne = type === 'external_select';
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<SuggestOutcome | null>(null);
  const ask = useEffectEvent(suggest);
  useEffect(() => {
    if (typed.length < min_query_length) return setFound(null);
    let isLate = false;
    const timer = setTimeout(async () => {
      const outcome = await ask(typed);
      if (!isLate) setFound(outcome);
    }, PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [typed, min_query_length]);

  const chosen = heldBy(state);
  const isChosen = ({ value }: Option) => chosen.some((option) => option.value === value);
  const choose = (option: Option) => {
    const others = chosen.filter(({ value }) => value !== option.value);
    if (type === 'external_select') onChoose({ type, selected_option: isChosen(option) ? null : option });
    else onChoose({ type, selected_options: isChosen(option) ? others : [...others, option] });
  };
  const offered = found?.ok
    ? [...found.options, ...found.option_groups.flatMap(({ options }) => options)]
    : [];
  return (
    <>
      {chosen.map((option) => (
        <button
          key={option.value}
          type="button"
          className="token"
          aria-label={`Remove ${option.text.text}`}
          onClick={() => choose(option)}
        >
          <EmojiText text={option.text.text} /> ×
        </button>
      ))}
      <input
        id={labels.id}
        className="control"
        type="search"
        autoComplete="off"
        placeholder={placeholder?.text ?? 'Type to search'}
        value={typed}
        {...ariaOf(labels)}
        onChange={(change) => setTyped(change.target.value)}
        // Enter would send the form.
        onKeyDown={(key) => key.key === 'Enter' && key.preventDefault()}
      />
      {found && (
        <p className="field-hint" role="status">
          {found.ok ? (offered.length > 0 ? `${offered.length} found` : 'Nothing found') : found.error}
        </p>
      )}
      {offered.length > 0 && (
        <fieldset aria-label="Found" className="choices found">
          {offered.map((option) => (
            <label key={option.value} className="choice">
              <input
                type={isOne ? 'radio' : 'checkbox'}
                name={`${labels.id}-found`}
                checked={isChosen(option)}
                onChange={() => choose(option)}
              />
              <EmojiText text={option.text.text} />
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

function heldBy(state: ElementState | undefined): readonly Option[] {
  if (state && 'selected_options' in state) return state.selected_options;
  return state && 'selected_option' in state && state.selected_option ? [state.selected_option] : [];
}
