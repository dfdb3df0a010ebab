import { useId, useState } from 'react';
import { EmojiText } from '../../blocks/emoji-text.tsx';
import { each } from '../../ui/each.ts';
import { ariaOf, type FieldLabels } from '../form.ts';
import type { ElementState, SomeOfElement } from '../input-schema.ts';
import { chosenIn, optionsOf, toggled } from '../values.ts';

const FILTER_FROM = 9;

interface Props {
  element: SomeOfElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  onChoose: (state: ElementState) => void;
}

/** A list for choosing several options: the field shows the chosen ones, and the list opens below it. */
export function MultiSelect({ element, state, labels, onChoose }: Props) {
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
