// Renders a classified error as the texts of an HTML page for people; the layout is the page's own.
import type { Classified } from './classify.ts'

type ErrorPage = {
  status: number
  headers: Record<string, string>
  title: string
  happened: string
  /** The wait in words: "a moment", "1 second", "20 seconds". */
  wait: string
}

export function errorPage({ kind, status, retry_after_s, fault }: Classified): ErrorPage {
  const wait =
    retry_after_s === null
      ? 'a moment'
      : retry_after_s === 1
        ? '1 second'
        : `${retry_after_s} seconds`
  return { status, headers: fault.headers, wait, ...textsOf() }

  function textsOf(): { title: string; happened: string } {
    switch (kind) {
      case 'database_unavailable':
      case 'commit_unknown':
        return { title: later, happened: 'Our database cannot be reached.' }
      case 'body_too_large':
      case 'unsupported_media_type':
        return { title: 'This form cannot be read', happened: 'It was not sent by our page.' }
      case 'bug':
        return { title: 'That did not work', happened: 'Something went wrong on our side.' }
      default:
        return { title: status === 429 ? limited : later, happened: fault.message }
    }
  }
}

const later = 'This is not possible right now'
const limited = 'Too many requests from your network'
