// A file as the answer of an operation, in place of JSON.
import Type, { type TUnsafe } from 'typebox'

/** The schema of an answer that is always a file. */
export const fileContent: TUnsafe<never> = Type.Unsafe<never>({ type: 'string', format: 'binary' })

export type MediaType = 'application/pdf' | 'text/csv'

/** The bytes or the text of a file, with the name that a browser saves it under. */
export class Download {
  readonly headers: Record<string, string>
  readonly content: Uint8Array | string

  constructor(file: { type: MediaType; name: string; content: Uint8Array | string }) {
    const type = file.type === 'text/csv' ? 'text/csv; charset=utf-8' : file.type
    // RFC 6266; our names are plain.
    const disposition = `attachment; filename="${file.name}"`
    this.headers = { 'Content-Type': type, 'Content-Disposition': disposition }
    this.content = file.content
  }
}
