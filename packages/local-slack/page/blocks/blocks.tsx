import type { z } from 'zod';
import { InputBlock } from '../modal/input-block.tsx';
import { inputBlock } from '../modal/input-schema.ts';
import { prepared } from '../model/prepare.ts';
import { each } from '../ui/each.ts';
import { Card, Carousel, cardBlock, carouselBlock } from './card.tsx';
import { DataTable, dataTableBlock } from './data-table.tsx';
import { Drawn, isDrawn } from './drawn.tsx';
import { InteractiveElement } from './element.tsx';
import { ImageBlock, imageBlock } from './image-block.tsx';
import { Mrkdwn } from './mrkdwn.tsx';
import { actionsBlock, containerBlock, sectionWithAccessory, tableBlock } from './schema.ts';
import { Table } from './table.tsx';

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
  const picture = imageBlock.safeParse(block);
  if (picture.success) return <ImageBlock block={picture.data} />;
  const rows = dataTableBlock.safeParse(block);
  if (rows.success) return <DataTable table={rows.data} />;
  const card = cardBlock.safeParse(block);
  if (card.success) return <Card card={card.data} />;
  const carousel = carouselBlock.safeParse(block);
  if (carousel.success) return <Carousel carousel={carousel.data} />;
  const container = containerBlock.safeParse(block);
  if (container.success) return <Container container={container.data} />;
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

/** Blocks under a title of their own, which may fold them away. */
function Container({ container }: { container: z.infer<typeof containerBlock> }) {
  const { title, rich_text_title: rich, subtitle, child_blocks, is_collapsible } = container;
  const head = (
    <>
      {rich === undefined ? <strong>{title?.text}</strong> : <OneBlock block={rich} />}
      {subtitle && <Mrkdwn text={subtitle.text} />}
    </>
  );
  if (!is_collapsible) {
    return (
      <section className="container">
        <div className="container-head">{head}</div>
        <Blocks blocks={child_blocks} />
      </section>
    );
  }
  return (
    <details className="container" open={!container.default_collapsed}>
      <summary className="container-head">{head}</summary>
      <Blocks blocks={child_blocks} />
    </details>
  );
}

function typeOf(block: unknown): string {
  const hasType = typeof block === 'object' && block !== null && 'type' in block;
  return hasType ? `“${String(block.type)}”` : '(none given)';
}
