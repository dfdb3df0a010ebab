import { EmojiText } from '../blocks/emoji-text.tsx';
import type { CompletionList } from './use-completion.ts';

/** The list over the composer: commands, people, or channels. */
export function Suggestions({ id, completion }: { id: string; completion: CompletionList }) {
  const { open, chosen, accept } = completion;
  return (
    <div id={id} role="listbox" aria-label="Suggestions" className="suggestions" hidden={!open}>
      {open?.suggestions.map((suggestion, index) => (
        <div
          key={suggestion.insert}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // Not click: the composer would lose the focus, and the list close, before it.
          onPointerDown={(press) => {
            press.preventDefault();
            accept(suggestion);
          }}
        >
          <b>{suggestion.label}</b> <EmojiText text={suggestion.detail} />
        </div>
      ))}
    </div>
  );
}
