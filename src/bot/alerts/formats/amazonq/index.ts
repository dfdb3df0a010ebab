import type { Format } from '../../format.ts';
import { extract } from './extract.ts';

/** Amazon Q Developer in chat applications, which was AWS Chatbot. */
export const amazonq: Format = { name: 'amazonq', tool: 'Amazon Q', extract };
