/** A thread that does not come so far as to take its task. */
for (;;);
