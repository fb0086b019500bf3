// Reads a PDF with PDF.js, which shares no code with its writer.
import { extractText, getDocumentProxy } from 'unpdf'

type ReadPdf = {
  /** The text of each page, with one space between its words. */
  pages: string[]
  text: string
  title: string
  /** By name. */
  attachments: Map<string, string>
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { text } = await extractText(document, { mergePages: false })
  const pages = text.map((page) => page.replaceAll(/\s+/g, ' ').trim())
  const { info } = await document.getMetadata()
  const attachments = new Map<string, string>()
  for (const [id, { filename }] of (await document.getAttachments()) ?? []) {
    const content = await document.getAttachmentContent(id)
    attachments.set(filename, Buffer.from(content ?? []).toString())
  }
  return { pages, text: pages.join(' '), title: String(Object(info).Title), attachments }
}
