import { EmojiText } from '../../blocks/emoji-text.tsx';
import type { Option } from '../../blocks/schema.ts';
import { ariaOf, type FieldLabels } from '../form.ts';
import type { ElementState, OneOfElement, SomeOfElement } from '../input-schema.ts';
import { chosenIn, toggled } from '../values.ts';

interface Props {
  element: OneOfElement | SomeOfElement;
  state: ElementState | undefined;
  labels: FieldLabels;
  onChoose: (state: ElementState) => void;
}

/** Radio buttons, of which one is chosen, or boxes to tick. */
export function Choices({ element, state, labels, onChoose }: Props) {
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
