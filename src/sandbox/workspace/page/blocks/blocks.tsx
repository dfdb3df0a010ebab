import { InputBlock } from '../modal/input-block.tsx';
import { inputBlock } from '../modal/input-schema.ts';
import { prepared } from '../model/prepare.ts';
import { each } from '../ui/each.ts';
import { Drawn, isDrawn } from './drawn.tsx';
import { InteractiveElement } from './element.tsx';
import { actionsBlock, sectionWithAccessory } from './schema.ts';
import { Table } from './table.tsx';
import { tableBlock } from './table-schema.ts';

/** The blocks of a message, an attachment or a modal. Throws on malformed ones, which the boundary around catches. */
export function Blocks({ blocks }: { blocks: readonly unknown[] }) {
  return (
    <div className="blocks">
      {each(blocks, (block) => (
        <OneBlock block={block} />
      ))}
    </div>
  );
}

function OneBlock({ block }: { block: unknown }) {
  const actions = actionsBlock.safeParse(block);
  if (actions.success) {
    const { block_id, elements, type } = actions.data;
    return (
      <div className={type === 'actions' ? 'actions' : 'actions context-actions'}>
        {each(elements, (element) => (
          <InteractiveElement element={element} blockId={block_id} />
        ))}
      </div>
    );
  }
  const input = inputBlock.safeParse(block);
  if (input.success) return <InputBlock block={input.data} />;
  const table = tableBlock.safeParse(block);
  if (table.success) return <Table table={table.data} />;
  const section = sectionWithAccessory.safeParse(block);
  // A picture beside a section takes no clicks: the library draws it.
  if (section.success && section.data.accessory.type !== 'image') {
    const { accessory, ...rest } = section.data;
    return (
      <div className="with-accessory">
        <OneBlock block={rest} />
        <InteractiveElement element={accessory} blockId={rest.block_id} />
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
