import { z } from 'zod';
import { each } from '../ui/each.ts';
import { InteractiveElement } from './element.tsx';
import { ImageBlock, imageBlock } from './image-block.tsx';
import { Mrkdwn } from './mrkdwn.tsx';
import { text } from './schema.ts';

const picture = imageBlock.optional();

export const cardBlock = z.object({
  type: z.literal('card'),
  block_id: z.string().default(''),
  hero_image: picture,
  icon: picture,
  title: text.optional(),
  subtitle: text.optional(),
  body: text.optional(),
  actions: z.array(z.unknown()).default([]),
});

export const carouselBlock = z.object({ type: z.literal('carousel'), elements: z.array(cardBlock) });

/** A card: a picture, a title with its icon, a few words, buttons. */
export function Card({ card }: { card: z.infer<typeof cardBlock> }) {
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
export function Carousel({ carousel }: { carousel: z.infer<typeof carouselBlock> }) {
  return (
    <div className="carousel">
      {each(carousel.elements, (card) => (
        <Card card={card} />
      ))}
    </div>
  );
}
