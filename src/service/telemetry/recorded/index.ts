export { type Recording, readRecording } from './recording.ts';
export { CasesFile, type RecordedCase } from './schema.ts';
export { recordedSource } from './source.ts';
