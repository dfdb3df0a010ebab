import type { ModelSettings } from '../../src/service/model/settings.ts';
import { LIAR } from './liar.ts';

/** A model that is set up as the tests need it. */
export function modelSettings(changes: Partial<ModelSettings> = {}): ModelSettings {
  return { ...LIAR, url: 'http://model.example.com/v1', name: 'scripted', ...changes };
}
