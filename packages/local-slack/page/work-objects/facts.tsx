import { EmojiText } from '../blocks/emoji-text.tsx';
import { plainText } from '../model/plain.ts';
import { fullTime } from '../model/times.ts';
import { useDesk } from '../ui/desk.ts';
import { SafeLink } from '../ui/safe-link.tsx';
import { type Entity, type Fact, factsOf } from './entity-schema.ts';

const COLORS: ReadonlySet<string> = new Set(['red', 'yellow', 'green', 'gray', 'blue']);

/** The fields of a Work Object. The card leaves out the long ones. */
export function Facts({ entity, isWhole }: { entity: Entity; isWhole: boolean }) {
  const facts = factsOf(entity).filter(({ long }) => isWhole || !long);
  if (facts.length === 0) return null;
  return (
    <dl className="entity-facts">
      {facts.map((fact) => (
        <div key={fact.key} className={fact.long ? 'entity-fact long' : 'entity-fact'}>
          <dt>{fact.label}</dt>
          <dd>
            <Value fact={fact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ fact: { value, link, color } }: { fact: Fact }) {
  const { workspace } = useDesk();
  if ('at' in value) {
    return <time dateTime={new Date(value.at).toISOString()}>{fullTime(value.at)}</time>;
  }
  if ('user' in value) {
    const user = workspace.users.find(({ id }) => id === value.user);
    return <span>{user?.real_name ?? value.user}</span>;
  }
  const words = <EmojiText text={plainText(value.text)} />;
  if (color !== undefined && COLORS.has(color)) return <span className={`entity-tag ${color}`}>{words}</span>;
  return link === undefined ? <span>{words}</span> : <SafeLink href={link}>{words}</SafeLink>;
}
