import { useEffect, useEffectEvent, useState } from 'react';
import type { SuggestOutcome } from '../../../src/page-api.ts';
import { EmojiText } from '../../blocks/emoji-text.tsx';
import type { Option } from '../../blocks/schema.ts';
import { ariaOf, type FieldLabels } from '../form.ts';
import type { ElementState, ExternalElement } from '../input-schema.ts';

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
