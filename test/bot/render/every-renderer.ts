import { homes } from './every-renderer/homes.ts';
import { messages } from './every-renderer/messages.ts';
import { modals } from './every-renderer/modals.ts';
import type { Renderer } from './every-renderer/renderer.ts';
import { sentences } from './every-renderer/sentences.ts';

/**
 * Every function of `src/bot/render` that makes a message, a modal or a Home, with an arbitrary of what it gets. A test
 * holds the list equal to the sources.
 */
export const everyRenderer: readonly Renderer[] = [...homes, ...messages, ...modals, ...sentences];
