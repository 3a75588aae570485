/** Sends forms and boxes without leaving the page, and shows what went wrong where it was asked. */

import { announce } from "./live.ts";

interface Answer {
  message?: string;
  error?: string;
  values?: Record<string, string>;
}

/** Takes over every form and box of the page, those that come later too. */
export function takeOverForms(): void {
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(event.target as HTMLFormElement, event.submitter);
  });
  document.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLElement && target.dataset.fill !== undefined) fill(target);
  });
  document.addEventListener("keydown", (event) => {
    const isSend = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (isSend && event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
  });
  document.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.dataset.task !== undefined) void tick(target);
  });
}

async function submit(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  // Not `disabled`, which would lose the focus.
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  const data = new FormData(form, button) as unknown as Record<string, string>;
  const { error = "", message, values = {} } = await send(form.action, new URLSearchParams(data));
  form.ariaBusy = "false";
  const place = form.querySelector<HTMLElement>(".error");
  if (place !== null) {
    place.textContent = error;
    place.hidden = error === "";
  }
  if (error !== "") return;
  for (const field of form.elements) {
    if (field instanceof HTMLTextAreaElement) field.value = "";
    if (field instanceof HTMLInputElement) field.checked = false;
  }
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = value;
  }
  if (message !== undefined) announce(message);
}

function fill({ dataset }: HTMLElement): void {
  const field = document.querySelector<HTMLTextAreaElement>(`#${dataset.fill}`);
  if (field === null) return;
  field.value = dataset.text ?? "";
  field.focus();
}

async function tick(box: HTMLInputElement): Promise<void> {
  const text = box.closest<HTMLElement>("[data-tick]");
  if (text === null) return;
  const fields = new URLSearchParams({
    task: box.dataset.task ?? "",
    ticked: String(box.checked),
    seen: text.dataset.seen ?? "",
  });
  box.disabled = true;
  const { error, message } = await send(text.dataset.tick ?? "", fields);
  box.disabled = false;
  if (error !== undefined) {
    box.checked = !box.checked;
    showNear(text, error);
  } else if (message !== undefined) announce(message);
}

function showNear(text: HTMLElement, error: string): void {
  text.parentElement?.querySelector(".error")?.remove();
  const place = document.createElement("p");
  place.className = "error";
  place.setAttribute("role", "alert");
  place.textContent = error;
  text.before(place);
}

async function send(url: string, body: URLSearchParams): Promise<Answer> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { accept: "application/json" },
      body,
    });
    return (await answer.json()) as Answer;
  } catch {
    return { error: "The playground does not answer. Is 'npm start -- --keep' still running?" };
  }
}
