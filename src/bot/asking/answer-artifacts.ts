import { z } from 'zod';
import { QueryArtifact } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Question } from '../store/questions.ts';

const Artifacts = z.array(QueryArtifact);

/** What an answer refers to (contract 2.9), from the `artifacts` column; none if that cannot be read any more. */
export function artifactsOf({ artifacts }: Pick<Question, 'artifacts'>): QueryArtifact[] {
  return decodeStored(Artifacts, artifacts) ?? [];
}
