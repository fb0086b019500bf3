// Composer of a message: a text field that grows with its lines. Enter sends the message if there
// is a keyboard.
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { supportTexts as texts } from '../../messages/support/support-texts.ts'

const most = 4_000
/** The number of remaining characters from which the composer shows it. */
const nearly = 200

export function Composer({ onSend }: { onSend: (body: string) => void }) {
  const id = useId()
  const [body, setBody] = useState('')
  // The service counts characters, too, not UTF-16 units.
  const left = most - [...body].length
  const isReady = body.trim() !== '' && left >= 0
  const send = () => {
    if (!isReady) return
    onSend(body.trim())
    setBody('')
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isTouch = matchMedia('(pointer: coarse)').matches
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || isTouch) return
    event.preventDefault()
    send()
  }
  return (
    <form onSubmit={onSubmit} className="border-t border-line p-3">
      <div className="flex items-end gap-2">
        <label htmlFor={id} className="sr-only">
          {texts.label}
        </label>
        <textarea
          id={id}
          rows={1}
          value={body}
          placeholder={texts.placeholder}
          aria-describedby={`${id}-hint`}
          aria-invalid={left < 0 || undefined}
          onChange={(event) => setBody(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-40 min-h-9 w-full resize-none rounded-md border border-edge bg-surface px-3 py-1.5 text-ink shadow-card placeholder:text-muted aria-invalid:border-bad"
        />
        <Button type="submit" look="primary" aria-disabled={!isReady || undefined}>
          {texts.send}
        </Button>
      </div>
      <p id={`${id}-hint`} className="mt-1.5 flex justify-between gap-4 text-xs text-muted">
        <span className="max-md:sr-only">{texts.hint}</span>
        {left < nearly && (
          <span className={left < 0 ? 'text-bad' : ''}>
            {left < 0 ? texts.tooLong(-left) : texts.left(left)}
          </span>
        )}
      </p>
    </form>
  )
}
