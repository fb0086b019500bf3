// A file as the answer of an operation, in place of JSON.
import Type, { type TUnsafe } from 'typebox'

/** The schema of an answer that is always a file. */
export const fileContent: TUnsafe<never> = Type.Unsafe<never>({ type: 'string', format: 'binary' })

/** The schema of an answer that clients read as text. */
export const textContent: TUnsafe<never> = Type.Unsafe<never>({ type: 'string' })

export type MediaType = 'application/pdf' | 'text/csv' | 'text/dns'

/** The content: bytes, a text, or a text that is made while it is sent. */
type FileContent = Uint8Array | string | AsyncIterable<string>

type OfferedFile = {
  type: MediaType
  name: string
  content: FileContent
  /** Header fields beside those of the file. */
  headers?: Readonly<Record<string, string>>
}

/** The content of a file, with the name that a browser saves it under. */
export class Download {
  readonly headers: Record<string, string>
  readonly content: FileContent

  constructor(file: OfferedFile) {
    const type = file.type === 'text/csv' ? 'text/csv; charset=utf-8' : file.type
    // Our names are plain, so none needs the extended form of RFC 6266.
    const disposition = `attachment; filename="${file.name}"`
    this.headers = { ...file.headers, 'Content-Type': type, 'Content-Disposition': disposition }
    this.content = file.content
  }
}
