import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { button, image } from './elements.ts';
import { richText } from './rich-text.ts';
import { anyText, blockId, line, mrkdwn } from './text.ts';

export const alert = z.strictObject({
  type: z.literal('alert'),
  block_id: blockId,
  text: anyText(LIMITS.sectionText),
  level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
});

export const card = z
  .strictObject({
    type: z.literal('card'),
    block_id: blockId,
    hero_image: image.optional(),
    icon: image.optional(),
    title: mrkdwn(LIMITS.cardTitle).optional(),
    subtitle: mrkdwn(LIMITS.cardTitle).optional(),
    body: mrkdwn(LIMITS.cardBody).optional(),
    actions: z.array(button).min(1).max(LIMITS.actionsElements).optional(),
  })
  .refine((block) => block.hero_image ?? block.title ?? block.actions ?? block.body, {
    error: 'missing required field: hero_image, title, actions or body',
  });

export const carousel = z.strictObject({
  type: z.literal('carousel'),
  block_id: blockId,
  elements: z.array(card).min(1).max(LIMITS.carouselCards),
});

export const taskCard = z.strictObject({
  type: z.literal('task_card'),
  block_id: blockId,
  task_id: line(LIMITS.blockId),
  title: z.string().min(1),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']),
  details: richText.optional(),
  output: richText.optional(),
  sources: z
    .array(z.strictObject({ type: z.literal('url'), url: line(LIMITS.url), text: z.string().min(1) }))
    .optional(),
});

export const plan = z.strictObject({
  type: z.literal('plan'),
  block_id: blockId,
  title: z.string().min(1),
  tasks: z.array(taskCard).optional(),
});
