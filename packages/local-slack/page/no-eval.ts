import { z } from 'zod';

// The page's policy lets no text be evaluated as code, which zod would try for speed. Imported before
// any schema is made.
z.config({ jitless: true });
