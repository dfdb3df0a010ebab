import type { ModelSettings } from '../../src/service/model/settings.ts';

/** A model that is set up as the tests need it. */
export function modelSettings(changes: Partial<ModelSettings> = {}): ModelSettings {
  return {
    url: 'http://model.example.com/v1',
    api: 'openai',
    name: 'scripted',
    key: null,
    uses: ['route', 'changes', 'answer'],
    maxSeconds: 30,
    maxCalls: 6,
    maxTokens: 20_000,
    dayTokens: 1_000_000,
    private: false,
    shareTalk: false,
    audit: 'hash',
    ...changes,
  };
}
