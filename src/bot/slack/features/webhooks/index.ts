import type { Feature } from '../../listening/feature.ts';
import { routes } from './routes-subcommand.ts';

/** Alerts delivered by webhook. */
export const webhooks: Feature = { subcommands: { routes } };
