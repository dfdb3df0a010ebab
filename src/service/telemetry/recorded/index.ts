export { readCases, readRecording } from './recording.ts';
export type { RecordedCase } from './schema.ts';
export { recordedSource } from './source.ts';
