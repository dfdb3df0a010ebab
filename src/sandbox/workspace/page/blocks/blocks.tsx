import type { PageMessage } from '../../page-api.ts';
import { prepared } from '../model/prepare.ts';
import { each } from '../ui/each.ts';
import { Drawn, isDrawn } from './drawn.tsx';
import { InteractiveElement } from './element.tsx';
import { actionsBlock, sectionWithAccessory } from './schema.ts';

/** The blocks of a message or attachment. Throws on malformed ones, which the message's boundary catches. */
export function Blocks({ blocks, message }: { blocks: readonly unknown[]; message: PageMessage }) {
  return (
    <div className="blocks">
      {each(blocks, (block) => (
        <OneBlock block={block} message={message} />
      ))}
    </div>
  );
}

function OneBlock({ block, message }: { block: unknown; message: PageMessage }) {
  const actions = actionsBlock.safeParse(block);
  if (actions.success) {
    const { block_id, elements, type } = actions.data;
    return (
      <div className={type === 'actions' ? 'actions' : 'actions context-actions'}>
        {each(elements, (element) => (
          <InteractiveElement element={element} blockId={block_id} message={message} />
        ))}
      </div>
    );
  }
  const section = sectionWithAccessory.safeParse(block);
  if (section.success) {
    const { accessory, ...rest } = section.data;
    return (
      <div className="with-accessory">
        <OneBlock block={rest} message={message} />
        <InteractiveElement element={accessory} blockId={rest.block_id} message={message} />
      </div>
    );
  }
  const drawable = prepared(block);
  if (isDrawn(drawable)) return <Drawn block={drawable} />;
  return <p className="unknown-block">This page cannot draw a block of the type {typeOf(block)}.</p>;
}

function typeOf(block: unknown): string {
  const hasType = typeof block === 'object' && block !== null && 'type' in block;
  return hasType ? `“${String(block.type)}”` : '(none given)';
}
