import { type FormEvent, useState } from 'react';
import type { PageMessage } from '../../src/page-api.ts';
import { useDesk } from './desk.ts';
import { Emoji } from './emoji.tsx';

const OFTEN = ['mag', 'eyes', '+1', '-1', 'white_check_mark'];

/** The emoji that are used most, and a field for any other's shortcode. One that is there already is taken back. */
export function EmojiPicker({ message, onDone }: { message: PageMessage; onDone: () => void }) {
  const { as, react } = useDesk();
  const [typed, setTyped] = useState('');
  const toggle = (name: string) => {
    const isMine = message.reactions?.some((other) => other.name === name && other.users.includes(as));
    onDone();
    void react(message, name, !isMine);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const name = typed.trim().replaceAll(':', '').toLowerCase();
    if (name !== '') toggle(name);
  };
  return (
    <form className="emoji-picker" onSubmit={onSubmit}>
      <div>
        {OFTEN.map((name) => (
          <button key={name} type="button" title={`:${name}:`} onClick={() => toggle(name)}>
            <Emoji name={name} />
          </button>
        ))}
      </div>
      <div>
        <input
          className="control"
          aria-label="Shortcode"
          placeholder="Another one, e.g. :tada:"
          value={typed}
          onChange={(change) => setTyped(change.target.value)}
        />
        <button type="submit" className="button" disabled={typed.trim() === ''}>
          Add
        </button>
      </div>
    </form>
  );
}
