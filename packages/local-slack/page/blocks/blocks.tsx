import { useContext, useState } from 'react';
import { z } from 'zod';
import { InputBlock, LooseInput } from '../modal/field.tsx';
import { FormContext } from '../modal/form.ts';
import { inputBlock, inputElement } from '../modal/input-schema.ts';
import { prepared } from '../model/rows.ts';
import { safeHref, slackFileAddress } from '../model/texts.ts';
import { each } from '../ui/basics.tsx';
import { Picture } from '../ui/message-parts.tsx';
import { Chart } from './chart.tsx';
import {
  Button,
  ConfirmDialog,
  Drawn,
  EmojiText,
  FeedbackButtons,
  IconButton,
  isDrawn,
  Mrkdwn,
  Overflow,
} from './elements.tsx';
import {
  actionsBlock,
  containerBlock,
  type InteractiveElement as Element,
  type ElementProps,
  interactiveElement,
  sectionWithAccessory,
  type TableBlock,
  type TableCell,
  tableBlock,
  tableCell,
  text,
  type Use,
} from './schema.ts';
import { useInteraction } from './use.ts';

interface TableProps {
  table: TableBlock;
  label?: string;
  /** The column whose cells name their rows; none where the block says none. */
  rowHeader?: number;
}

/** A table with its first row as the head. One that is wider than its place scrolls, so it can be focused. */
function Table({ table, label = 'Table', rowHeader = -1 }: TableProps) {
  const [head = [], ...rows] = table.rows;
  const look = (index: number) => {
    const { align = 'left', is_wrapped = false } = table.column_settings[index] ?? {};
    return `${align} ${is_wrapped ? 'wrapped' : ''}`;
  };
  return (
    // Without a place in the order of focus, what does not fit could not be read with the keyboard.
    <section className="table-frame" aria-label={label} {...FOCUSABLE}>
      <table>
        <thead>
          <tr>
            {each(head, (cell, index) => (
              <th scope="col" className={look(index)}>
                <Cell cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {each(rows, (row) => (
            <tr>
              {each(row, (cell, index) =>
                index === rowHeader ? (
                  <th scope="row" className={look(index)}>
                    <Cell cell={cell} />
                  </th>
                ) : (
                  <td className={look(index)}>
                    <Cell cell={cell} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const FOCUSABLE = { tabIndex: 0 };

function Cell({ cell }: { cell: TableCell }) {
  if (cell.type === 'raw_text') return <EmojiText text={cell.text} />;
  if (cell.type === 'raw_number') return cell.text ?? String(cell.value);
  const block = prepared(cell);
  return isDrawn(block) ? <Drawn block={block} /> : null;
}

/** A `data_table` block. Its first row is the head. */
const dataTableBlock = z.object({
  type: z.literal('data_table'),
  rows: z.array(z.array(tableCell)),
  caption: z.string().default(''),
  page_size: z.number().default(5),
  row_header_column_index: z.number().default(0),
});

/** Longer cells are wrapped. */
const ONE_LINE = 24;

function lengthOf(cell: TableCell | undefined): number {
  if (cell?.type === 'raw_text') return cell.text.length;
  return cell?.type === 'rich_text' ? ONE_LINE + 1 : 0;
}

/** A table with a caption, shown a page at a time. */
function DataTable({ table }: { table: z.infer<typeof dataTableBlock> }) {
  const { caption, page_size: size, rows, row_header_column_index: rowHeader } = table;
  const [head = [], ...body] = rows;
  const pages = Math.max(1, Math.ceil(body.length / size));
  const [chosen, setPage] = useState(0);
  const page = Math.min(chosen, pages - 1);
  const shown = [head, ...body.slice(page * size, (page + 1) * size)];
  // Numbers stand under each other.
  const column_settings = head.map((_, index) => {
    const isNumber = body.some((row) => row[index]?.type === 'raw_number');
    const is_wrapped = body.some((row) => lengthOf(row[index]) > ONE_LINE);
    return { align: isNumber ? ('right' as const) : ('left' as const), is_wrapped };
  });
  return (
    <div className="data-table">
      <p className="data-table-caption">{caption}</p>
      <Table table={{ type: 'table', rows: shown, column_settings }} label={caption} rowHeader={rowHeader} />
      {pages > 1 && (
        <div className="data-table-pages">
          {/* Not disabled at the ends: the button would lose the focus. */}
          <button
            type="button"
            className="button"
            aria-disabled={page === 0}
            onClick={() => setPage(Math.max(page - 1, 0))}
          >
            Previous
          </button>
          <span role="status">{`${page + 1} of ${pages}`}</span>
          <button
            type="button"
            className="button"
            aria-disabled={page === pages - 1}
            onClick={() => setPage(Math.min(page + 1, pages - 1))}
          >
            Next
          </button>
        </div>
      )}
    </div>
  );
}

/** An `image` block: of an address, or of a file of the workspace's. */
const imageBlock = z.object({
  type: z.literal('image'),
  alt_text: z.string().default(''),
  title: text.optional(),
  image_url: z.string().optional(),
  slack_file: z.unknown().optional(),
});

function ImageBlock({ block }: { block: z.infer<typeof imageBlock> }) {
  const { alt_text: alt, title, image_url, slack_file } = block;
  const src = slackFileAddress(slack_file) ?? safeHref(image_url);
  if (src === null) return <p className="picture-gone">{`This picture cannot be shown: ${alt}`}</p>;
  return <Picture src={src} alt={alt} title={title?.text ?? ''} size={null} />;
}

interface InteractiveElementProps {
  element: unknown;
  blockId: string;
}

/** An element that can be clicked; its value is part of the form around it. */
function InteractiveElement({ element, blockId }: InteractiveElementProps) {
  const form = useContext(FormContext);
  const input = inputElement.safeParse(element);
  if (form && input.success) return <LooseInput form={form} element={input.data} blockId={blockId} />;
  const parsed = interactiveElement.safeParse(element);
  if (parsed.success) return <Clickable element={parsed.data} blockId={blockId} />;
  return <span className="unknown-element">An element that this page cannot show</span>;
}

/** Asks for confirmation where the element wants one, and is busy until the click is answered. */
function Clickable({ element, blockId }: { element: Element; blockId: string }) {
  const interact = useInteraction();
  const [isBusy, setBusy] = useState(false);
  const [asking, setAsking] = useState<Use | null>(null);
  const { action_id, confirm, type } = element;
  const send = async (use: Use) => {
    setAsking(null);
    setBusy(true);
    await interact({ block_id: blockId, action_id, ...use }, type);
    setBusy(false);
  };
  const onUse = (use: Use) => (confirm ? setAsking(use) : void send(use));
  return (
    <>
      <ElementOfType element={element} isBusy={isBusy} onUse={onUse} />
      {asking !== null && confirm !== undefined && (
        <ConfirmDialog
          confirm={confirm}
          onConfirm={() => void send(asking)}
          onCancel={() => setAsking(null)}
        />
      )}
    </>
  );
}

function ElementOfType({ element, ...rest }: ElementProps<Element>) {
  switch (element.type) {
    case 'button':
      return <Button element={element} {...rest} />;
    case 'overflow':
      return <Overflow element={element} {...rest} />;
    case 'feedback_buttons':
      return <FeedbackButtons element={element} {...rest} />;
    case 'icon_button':
      return <IconButton element={element} {...rest} />;
  }
}

const picture = imageBlock.optional();

const cardBlock = z.object({
  type: z.literal('card'),
  block_id: z.string().default(''),
  hero_image: picture,
  icon: picture,
  title: text.optional(),
  subtitle: text.optional(),
  body: text.optional(),
  actions: z.array(z.unknown()).default([]),
});

const carouselBlock = z.object({ type: z.literal('carousel'), elements: z.array(cardBlock) });

/** A card: a picture, a title with its icon, a few words, buttons. */
function Card({ card }: { card: z.infer<typeof cardBlock> }) {
  const { hero_image: hero, icon, title, subtitle, body, actions, block_id } = card;
  return (
    <section className="card">
      {hero && <ImageBlock block={hero} />}
      <div className="card-head">
        {icon && <ImageBlock block={icon} />}
        <div>
          {title && (
            <div className="card-title">
              <Mrkdwn text={title.text} />
            </div>
          )}
          {subtitle && (
            <div className="card-subtitle">
              <Mrkdwn text={subtitle.text} />
            </div>
          )}
        </div>
      </div>
      {body && <Mrkdwn text={body.text} />}
      {actions.length > 0 && (
        <div className="actions">
          {each(actions, (element) => (
            <InteractiveElement element={element} blockId={block_id} />
          ))}
        </div>
      )}
    </section>
  );
}

/** Cards side by side. */
function Carousel({ carousel }: { carousel: z.infer<typeof carouselBlock> }) {
  return (
    <div className="carousel">
      {each(carousel.elements, (card) => (
        <Card card={card} />
      ))}
    </div>
  );
}

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
  if (isDrawn(drawable)) {
    return drawable.type === 'data_visualization' ? <Chart block={drawable} /> : <Drawn block={drawable} />;
  }
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
