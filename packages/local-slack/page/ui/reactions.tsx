import type { PageMessage } from '../../src/page-api.ts';
import { useDesk } from './desk.ts';
import { Emoji } from './emoji.tsx';

/** Emoji that people and apps put on a message, each with its count; a click adds one's own or takes it back. */
export function Reactions({ message }: { message: PageMessage }) {
  const { workspace, as, react } = useDesk();
  const { reactions = [] } = message;
  if (reactions.length === 0) return null;
  const nameOf = (id: string) => {
    if (id === workspace.bot.user_id) return workspace.bot.name;
    return workspace.users.find((user) => user.id === id)?.name ?? id;
  };
  return (
    <ul className="reactions" aria-label="Reactions">
      {reactions.map(({ name, count, users }) => {
        const isMine = users.includes(as);
        return (
          <li key={name}>
            <button
              type="button"
              aria-pressed={isMine}
              title={`${users.map(nameOf).join(', ')} reacted with :${name}:`}
              onClick={() => void react(message, name, !isMine)}
            >
              <Emoji name={name} /> <span>{count}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
