// Button that saves a file of the service, which a request with the session reads.
import { type ReactNode, useState } from 'react'
import { saveFile } from '../lib/csv.ts'
import { showToast } from '../lib/toasts.ts'
import { messageOf } from '../lib/words/failure-words.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

type Props = {
  /** The name of the saved file. */
  file: string
  load: () => Promise<Blob>
  size?: 'sm' | 'md'
  /** The name for screen readers, since the visible text does not name the document. */
  label: string
  /** The title of the message after a failure. */
  failed: string
  children: ReactNode
}

export function DownloadButton({ file, load, size = 'sm', label, failed, children }: Props) {
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      saveFile(file, await load())
    } catch (error) {
      const description = messageOf(error)
      showToast({ title: failed, description })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size={size} busy={isBusy} aria-label={label} onClick={() => void download()}>
      <Icon name="download" />
      {children}
    </Button>
  )
}
