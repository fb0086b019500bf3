// The module of document signatures: signed quotes and receipts, and the keys that verify them.
import type { Operation } from '../../app.ts'
import { listDocumentKeys } from './list-document-keys.ts'

export { rotateDocumentKeysCommand } from './keys.ts'
export { signDocument } from './sign-document.ts'

export const operations: Operation[] = [listDocumentKeys]
