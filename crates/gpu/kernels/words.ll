; Memory copied and cleared by words, for `ptx-linker` to put in the place of the compiler's own loops, which go byte by byte, each
; byte waiting for the one before. Four words are read before the first of them is written. Lengths are in bytes; what is
; left beyond whole words goes by shorter ones, and short ones give way to words of 8 bytes where both addresses happen to allow it.

; Words of 16 bytes.

; From the first word to the last.
define internal void @spinney.copy.16(ptr %to, ptr %from, i64 %bytes) alwaysinline {
entry:
  br label %fours
fours:
  %four = phi i64 [ 0, %entry ], [ %four.next, %copy.four ]
  %four.next = add i64 %four, 64
  %four.more = icmp ule i64 %four.next, %bytes
  br i1 %four.more, label %copy.four, label %words
copy.four:
  %c.from = getelementptr i8, ptr %from, i64 %four
  %c.to = getelementptr i8, ptr %to, i64 %four
  %c.f0 = getelementptr <2 x i64>, ptr %c.from, i64 0
  %c.v0 = load <2 x i64>, ptr %c.f0, align 16
  %c.f1 = getelementptr <2 x i64>, ptr %c.from, i64 1
  %c.v1 = load <2 x i64>, ptr %c.f1, align 16
  %c.f2 = getelementptr <2 x i64>, ptr %c.from, i64 2
  %c.v2 = load <2 x i64>, ptr %c.f2, align 16
  %c.f3 = getelementptr <2 x i64>, ptr %c.from, i64 3
  %c.v3 = load <2 x i64>, ptr %c.f3, align 16
  %c.t0 = getelementptr <2 x i64>, ptr %c.to, i64 0
  store <2 x i64> %c.v0, ptr %c.t0, align 16
  %c.t1 = getelementptr <2 x i64>, ptr %c.to, i64 1
  store <2 x i64> %c.v1, ptr %c.t1, align 16
  %c.t2 = getelementptr <2 x i64>, ptr %c.to, i64 2
  store <2 x i64> %c.v2, ptr %c.t2, align 16
  %c.t3 = getelementptr <2 x i64>, ptr %c.to, i64 3
  store <2 x i64> %c.v3, ptr %c.t3, align 16
  br label %fours
words:
  %word = phi i64 [ %four, %fours ], [ %word.next, %copy.word ]
  %word.next = add i64 %word, 16
  %word.more = icmp ule i64 %word.next, %bytes
  br i1 %word.more, label %copy.word, label %odd
copy.word:
  %w.from = getelementptr i8, ptr %from, i64 %word
  %w.value = load <2 x i64>, ptr %w.from, align 16
  %w.to = getelementptr i8, ptr %to, i64 %word
  store <2 x i64> %w.value, ptr %w.to, align 16
  br label %words
odd:
  %byte = phi i64 [ %word, %words ], [ %byte.next, %copy.byte ]
  %byte.more = icmp ult i64 %byte, %bytes
  br i1 %byte.more, label %copy.byte, label %end
copy.byte:
  %b.from = getelementptr i8, ptr %from, i64 %byte
  %b.value = load i8, ptr %b.from, align 1
  %b.to = getelementptr i8, ptr %to, i64 %byte
  store i8 %b.value, ptr %b.to, align 1
  %byte.next = add i64 %byte, 1
  br label %odd
end:
  ret void
}

; The same where both may overlap: from the last word to the first if that is needed.
define internal void @spinney.move.16(ptr %to, ptr %from, i64 %bytes) noinline {
entry:
  %is.up = icmp ule ptr %to, %from
  br i1 %is.up, label %up, label %odd
up:
  call void @spinney.copy.16(ptr %to, ptr %from, i64 %bytes)
  ret void
odd:
  %byte = phi i64 [ %bytes, %entry ], [ %byte.next, %copy.byte ]
  %byte.odd = and i64 %byte, 15
  %byte.more = icmp ne i64 %byte.odd, 0
  br i1 %byte.more, label %copy.byte, label %words
copy.byte:
  %byte.next = sub i64 %byte, 1
  %b.from = getelementptr i8, ptr %from, i64 %byte.next
  %b.value = load i8, ptr %b.from, align 1
  %b.to = getelementptr i8, ptr %to, i64 %byte.next
  store i8 %b.value, ptr %b.to, align 1
  br label %odd
words:
  %word = phi i64 [ %byte, %odd ], [ %word.next, %copy.word ]
  %word.odd = and i64 %word, 63
  %word.more = icmp ne i64 %word.odd, 0
  br i1 %word.more, label %copy.word, label %fours
copy.word:
  %word.next = sub i64 %word, 16
  %w.from = getelementptr i8, ptr %from, i64 %word.next
  %w.value = load <2 x i64>, ptr %w.from, align 16
  %w.to = getelementptr i8, ptr %to, i64 %word.next
  store <2 x i64> %w.value, ptr %w.to, align 16
  br label %words
fours:
  %four = phi i64 [ %word, %words ], [ %four.next, %copy.four ]
  %four.more = icmp ne i64 %four, 0
  br i1 %four.more, label %copy.four, label %end
copy.four:
  %four.next = sub i64 %four, 64
  %c.from = getelementptr i8, ptr %from, i64 %four.next
  %c.to = getelementptr i8, ptr %to, i64 %four.next
  %c.f0 = getelementptr <2 x i64>, ptr %c.from, i64 0
  %c.v0 = load <2 x i64>, ptr %c.f0, align 16
  %c.f1 = getelementptr <2 x i64>, ptr %c.from, i64 1
  %c.v1 = load <2 x i64>, ptr %c.f1, align 16
  %c.f2 = getelementptr <2 x i64>, ptr %c.from, i64 2
  %c.v2 = load <2 x i64>, ptr %c.f2, align 16
  %c.f3 = getelementptr <2 x i64>, ptr %c.from, i64 3
  %c.v3 = load <2 x i64>, ptr %c.f3, align 16
  %c.t0 = getelementptr <2 x i64>, ptr %c.to, i64 0
  store <2 x i64> %c.v0, ptr %c.t0, align 16
  %c.t1 = getelementptr <2 x i64>, ptr %c.to, i64 1
  store <2 x i64> %c.v1, ptr %c.t1, align 16
  %c.t2 = getelementptr <2 x i64>, ptr %c.to, i64 2
  store <2 x i64> %c.v2, ptr %c.t2, align 16
  %c.t3 = getelementptr <2 x i64>, ptr %c.to, i64 3
  store <2 x i64> %c.v3, ptr %c.t3, align 16
  br label %fours
end:
  ret void
}

define internal void @spinney.clear.16(ptr %to, i64 %bytes) alwaysinline {
entry:
  br label %fours
fours:
  %four = phi i64 [ 0, %entry ], [ %four.next, %clear.four ]
  %four.next = add i64 %four, 64
  %four.more = icmp ule i64 %four.next, %bytes
  br i1 %four.more, label %clear.four, label %words
clear.four:
  %c.to = getelementptr i8, ptr %to, i64 %four
  %c.t0 = getelementptr <2 x i64>, ptr %c.to, i64 0
  store <2 x i64> zeroinitializer, ptr %c.t0, align 16
  %c.t1 = getelementptr <2 x i64>, ptr %c.to, i64 1
  store <2 x i64> zeroinitializer, ptr %c.t1, align 16
  %c.t2 = getelementptr <2 x i64>, ptr %c.to, i64 2
  store <2 x i64> zeroinitializer, ptr %c.t2, align 16
  %c.t3 = getelementptr <2 x i64>, ptr %c.to, i64 3
  store <2 x i64> zeroinitializer, ptr %c.t3, align 16
  br label %fours
words:
  %word = phi i64 [ %four, %fours ], [ %word.next, %clear.word ]
  %word.next = add i64 %word, 16
  %word.more = icmp ule i64 %word.next, %bytes
  br i1 %word.more, label %clear.word, label %odd
clear.word:
  %w.to = getelementptr i8, ptr %to, i64 %word
  store <2 x i64> zeroinitializer, ptr %w.to, align 16
  br label %words
odd:
  %byte = phi i64 [ %word, %words ], [ %byte.next, %clear.byte ]
  %byte.more = icmp ult i64 %byte, %bytes
  br i1 %byte.more, label %clear.byte, label %end
clear.byte:
  %b.to = getelementptr i8, ptr %to, i64 %byte
  store i8 0, ptr %b.to, align 1
  %byte.next = add i64 %byte, 1
  br label %odd
end:
  ret void
}

; Words of 8 bytes.

; From the first word to the last.
define internal void @spinney.copy.8(ptr %to, ptr %from, i64 %bytes) alwaysinline {
entry:
  br label %fours
fours:
  %four = phi i64 [ 0, %entry ], [ %four.next, %copy.four ]
  %four.next = add i64 %four, 32
  %four.more = icmp ule i64 %four.next, %bytes
  br i1 %four.more, label %copy.four, label %words
copy.four:
  %c.from = getelementptr i8, ptr %from, i64 %four
  %c.to = getelementptr i8, ptr %to, i64 %four
  %c.f0 = getelementptr i64, ptr %c.from, i64 0
  %c.v0 = load i64, ptr %c.f0, align 8
  %c.f1 = getelementptr i64, ptr %c.from, i64 1
  %c.v1 = load i64, ptr %c.f1, align 8
  %c.f2 = getelementptr i64, ptr %c.from, i64 2
  %c.v2 = load i64, ptr %c.f2, align 8
  %c.f3 = getelementptr i64, ptr %c.from, i64 3
  %c.v3 = load i64, ptr %c.f3, align 8
  %c.t0 = getelementptr i64, ptr %c.to, i64 0
  store i64 %c.v0, ptr %c.t0, align 8
  %c.t1 = getelementptr i64, ptr %c.to, i64 1
  store i64 %c.v1, ptr %c.t1, align 8
  %c.t2 = getelementptr i64, ptr %c.to, i64 2
  store i64 %c.v2, ptr %c.t2, align 8
  %c.t3 = getelementptr i64, ptr %c.to, i64 3
  store i64 %c.v3, ptr %c.t3, align 8
  br label %fours
words:
  %word = phi i64 [ %four, %fours ], [ %word.next, %copy.word ]
  %word.next = add i64 %word, 8
  %word.more = icmp ule i64 %word.next, %bytes
  br i1 %word.more, label %copy.word, label %odd
copy.word:
  %w.from = getelementptr i8, ptr %from, i64 %word
  %w.value = load i64, ptr %w.from, align 8
  %w.to = getelementptr i8, ptr %to, i64 %word
  store i64 %w.value, ptr %w.to, align 8
  br label %words
odd:
  %rest = sub i64 %bytes, %word
  %has.4 = and i64 %rest, 4
  %is.4 = icmp ne i64 %has.4, 0
  br i1 %is.4, label %copy.4, label %twos
copy.4:
  %l.from = getelementptr i8, ptr %from, i64 %word
  %l.value = load i32, ptr %l.from, align 4
  %l.to = getelementptr i8, ptr %to, i64 %word
  store i32 %l.value, ptr %l.to, align 4
  br label %twos
twos:
  %two = add i64 %word, %has.4
  %has.2 = and i64 %rest, 2
  %is.2 = icmp ne i64 %has.2, 0
  br i1 %is.2, label %copy.2, label %ones
copy.2:
  %s.from = getelementptr i8, ptr %from, i64 %two
  %s.value = load i16, ptr %s.from, align 2
  %s.to = getelementptr i8, ptr %to, i64 %two
  store i16 %s.value, ptr %s.to, align 2
  br label %ones
ones:
  %one = add i64 %two, %has.2
  %has.1 = and i64 %rest, 1
  %is.1 = icmp ne i64 %has.1, 0
  br i1 %is.1, label %copy.1, label %end
copy.1:
  %b.from = getelementptr i8, ptr %from, i64 %one
  %b.value = load i8, ptr %b.from, align 1
  %b.to = getelementptr i8, ptr %to, i64 %one
  store i8 %b.value, ptr %b.to, align 1
  br label %end
end:
  ret void
}

; The same where both may overlap: from the last word to the first if that is needed.
define internal void @spinney.move.8(ptr %to, ptr %from, i64 %bytes) noinline {
entry:
  %is.up = icmp ule ptr %to, %from
  br i1 %is.up, label %up, label %odd
up:
  call void @spinney.copy.8(ptr %to, ptr %from, i64 %bytes)
  ret void
odd:
  %byte = phi i64 [ %bytes, %entry ], [ %byte.next, %copy.byte ]
  %byte.odd = and i64 %byte, 7
  %byte.more = icmp ne i64 %byte.odd, 0
  br i1 %byte.more, label %copy.byte, label %words
copy.byte:
  %byte.next = sub i64 %byte, 1
  %b.from = getelementptr i8, ptr %from, i64 %byte.next
  %b.value = load i8, ptr %b.from, align 1
  %b.to = getelementptr i8, ptr %to, i64 %byte.next
  store i8 %b.value, ptr %b.to, align 1
  br label %odd
words:
  %word = phi i64 [ %byte, %odd ], [ %word.next, %copy.word ]
  %word.odd = and i64 %word, 31
  %word.more = icmp ne i64 %word.odd, 0
  br i1 %word.more, label %copy.word, label %fours
copy.word:
  %word.next = sub i64 %word, 8
  %w.from = getelementptr i8, ptr %from, i64 %word.next
  %w.value = load i64, ptr %w.from, align 8
  %w.to = getelementptr i8, ptr %to, i64 %word.next
  store i64 %w.value, ptr %w.to, align 8
  br label %words
fours:
  %four = phi i64 [ %word, %words ], [ %four.next, %copy.four ]
  %four.more = icmp ne i64 %four, 0
  br i1 %four.more, label %copy.four, label %end
copy.four:
  %four.next = sub i64 %four, 32
  %c.from = getelementptr i8, ptr %from, i64 %four.next
  %c.to = getelementptr i8, ptr %to, i64 %four.next
  %c.f0 = getelementptr i64, ptr %c.from, i64 0
  %c.v0 = load i64, ptr %c.f0, align 8
  %c.f1 = getelementptr i64, ptr %c.from, i64 1
  %c.v1 = load i64, ptr %c.f1, align 8
  %c.f2 = getelementptr i64, ptr %c.from, i64 2
  %c.v2 = load i64, ptr %c.f2, align 8
  %c.f3 = getelementptr i64, ptr %c.from, i64 3
  %c.v3 = load i64, ptr %c.f3, align 8
  %c.t0 = getelementptr i64, ptr %c.to, i64 0
  store i64 %c.v0, ptr %c.t0, align 8
  %c.t1 = getelementptr i64, ptr %c.to, i64 1
  store i64 %c.v1, ptr %c.t1, align 8
  %c.t2 = getelementptr i64, ptr %c.to, i64 2
  store i64 %c.v2, ptr %c.t2, align 8
  %c.t3 = getelementptr i64, ptr %c.to, i64 3
  store i64 %c.v3, ptr %c.t3, align 8
  br label %fours
end:
  ret void
}

define internal void @spinney.clear.8(ptr %to, i64 %bytes) alwaysinline {
entry:
  br label %fours
fours:
  %four = phi i64 [ 0, %entry ], [ %four.next, %clear.four ]
  %four.next = add i64 %four, 32
  %four.more = icmp ule i64 %four.next, %bytes
  br i1 %four.more, label %clear.four, label %words
clear.four:
  %c.to = getelementptr i8, ptr %to, i64 %four
  %c.t0 = getelementptr i64, ptr %c.to, i64 0
  store i64 0, ptr %c.t0, align 8
  %c.t1 = getelementptr i64, ptr %c.to, i64 1
  store i64 0, ptr %c.t1, align 8
  %c.t2 = getelementptr i64, ptr %c.to, i64 2
  store i64 0, ptr %c.t2, align 8
  %c.t3 = getelementptr i64, ptr %c.to, i64 3
  store i64 0, ptr %c.t3, align 8
  br label %fours
words:
  %word = phi i64 [ %four, %fours ], [ %word.next, %clear.word ]
  %word.next = add i64 %word, 8
  %word.more = icmp ule i64 %word.next, %bytes
  br i1 %word.more, label %clear.word, label %odd
clear.word:
  %w.to = getelementptr i8, ptr %to, i64 %word
  store i64 0, ptr %w.to, align 8
  br label %words
odd:
  %byte = phi i64 [ %word, %words ], [ %byte.next, %clear.byte ]
  %byte.more = icmp ult i64 %byte, %bytes
  br i1 %byte.more, label %clear.byte, label %end
clear.byte:
  %b.to = getelementptr i8, ptr %to, i64 %byte
  store i8 0, ptr %b.to, align 1
  %byte.next = add i64 %byte, 1
  br label %odd
end:
  ret void
}

; Words of 4 bytes.

; From the first word to the last.
define internal void @spinney.copy.4(ptr %to, ptr %from, i64 %bytes) alwaysinline {
entry:
  br label %fours
fours:
  %four = phi i64 [ 0, %entry ], [ %four.next, %copy.four ]
  %four.next = add i64 %four, 16
  %four.more = icmp ule i64 %four.next, %bytes
  br i1 %four.more, label %copy.four, label %words
copy.four:
  %c.from = getelementptr i8, ptr %from, i64 %four
  %c.to = getelementptr i8, ptr %to, i64 %four
  %c.f0 = getelementptr i32, ptr %c.from, i64 0
  %c.v0 = load i32, ptr %c.f0, align 4
  %c.f1 = getelementptr i32, ptr %c.from, i64 1
  %c.v1 = load i32, ptr %c.f1, align 4
  %c.f2 = getelementptr i32, ptr %c.from, i64 2
  %c.v2 = load i32, ptr %c.f2, align 4
  %c.f3 = getelementptr i32, ptr %c.from, i64 3
  %c.v3 = load i32, ptr %c.f3, align 4
  %c.t0 = getelementptr i32, ptr %c.to, i64 0
  store i32 %c.v0, ptr %c.t0, align 4
  %c.t1 = getelementptr i32, ptr %c.to, i64 1
  store i32 %c.v1, ptr %c.t1, align 4
  %c.t2 = getelementptr i32, ptr %c.to, i64 2
  store i32 %c.v2, ptr %c.t2, align 4
  %c.t3 = getelementptr i32, ptr %c.to, i64 3
  store i32 %c.v3, ptr %c.t3, align 4
  br label %fours
words:
  %word = phi i64 [ %four, %fours ], [ %word.next, %copy.word ]
  %word.next = add i64 %word, 4
  %word.more = icmp ule i64 %word.next, %bytes
  br i1 %word.more, label %copy.word, label %odd
copy.word:
  %w.from = getelementptr i8, ptr %from, i64 %word
  %w.value = load i32, ptr %w.from, align 4
  %w.to = getelementptr i8, ptr %to, i64 %word
  store i32 %w.value, ptr %w.to, align 4
  br label %words
odd:
  %byte = phi i64 [ %word, %words ], [ %byte.next, %copy.byte ]
  %byte.more = icmp ult i64 %byte, %bytes
  br i1 %byte.more, label %copy.byte, label %end
copy.byte:
  %b.from = getelementptr i8, ptr %from, i64 %byte
  %b.value = load i8, ptr %b.from, align 1
  %b.to = getelementptr i8, ptr %to, i64 %byte
  store i8 %b.value, ptr %b.to, align 1
  %byte.next = add i64 %byte, 1
  br label %odd
end:
  ret void
}

; The same where both may overlap: from the last word to the first if that is needed.
define internal void @spinney.move.4(ptr %to, ptr %from, i64 %bytes) noinline {
entry:
  %is.up = icmp ule ptr %to, %from
  br i1 %is.up, label %up, label %odd
up:
  call void @spinney.copy.4(ptr %to, ptr %from, i64 %bytes)
  ret void
odd:
  %byte = phi i64 [ %bytes, %entry ], [ %byte.next, %copy.byte ]
  %byte.odd = and i64 %byte, 3
  %byte.more = icmp ne i64 %byte.odd, 0
  br i1 %byte.more, label %copy.byte, label %words
copy.byte:
  %byte.next = sub i64 %byte, 1
  %b.from = getelementptr i8, ptr %from, i64 %byte.next
  %b.value = load i8, ptr %b.from, align 1
  %b.to = getelementptr i8, ptr %to, i64 %byte.next
  store i8 %b.value, ptr %b.to, align 1
  br label %odd
words:
  %word = phi i64 [ %byte, %odd ], [ %word.next, %copy.word ]
  %word.odd = and i64 %word, 15
  %word.more = icmp ne i64 %word.odd, 0
  br i1 %word.more, label %copy.word, label %fours
copy.word:
  %word.next = sub i64 %word, 4
  %w.from = getelementptr i8, ptr %from, i64 %word.next
  %w.value = load i32, ptr %w.from, align 4
  %w.to = getelementptr i8, ptr %to, i64 %word.next
  store i32 %w.value, ptr %w.to, align 4
  br label %words
fours:
  %four = phi i64 [ %word, %words ], [ %four.next, %copy.four ]
  %four.more = icmp ne i64 %four, 0
  br i1 %four.more, label %copy.four, label %end
copy.four:
  %four.next = sub i64 %four, 16
  %c.from = getelementptr i8, ptr %from, i64 %four.next
  %c.to = getelementptr i8, ptr %to, i64 %four.next
  %c.f0 = getelementptr i32, ptr %c.from, i64 0
  %c.v0 = load i32, ptr %c.f0, align 4
  %c.f1 = getelementptr i32, ptr %c.from, i64 1
  %c.v1 = load i32, ptr %c.f1, align 4
  %c.f2 = getelementptr i32, ptr %c.from, i64 2
  %c.v2 = load i32, ptr %c.f2, align 4
  %c.f3 = getelementptr i32, ptr %c.from, i64 3
  %c.v3 = load i32, ptr %c.f3, align 4
  %c.t0 = getelementptr i32, ptr %c.to, i64 0
  store i32 %c.v0, ptr %c.t0, align 4
  %c.t1 = getelementptr i32, ptr %c.to, i64 1
  store i32 %c.v1, ptr %c.t1, align 4
  %c.t2 = getelementptr i32, ptr %c.to, i64 2
  store i32 %c.v2, ptr %c.t2, align 4
  %c.t3 = getelementptr i32, ptr %c.to, i64 3
  store i32 %c.v3, ptr %c.t3, align 4
  br label %fours
end:
  ret void
}

define internal void @spinney.clear.4(ptr %to, i64 %bytes) alwaysinline {
entry:
  br label %fours
fours:
  %four = phi i64 [ 0, %entry ], [ %four.next, %clear.four ]
  %four.next = add i64 %four, 16
  %four.more = icmp ule i64 %four.next, %bytes
  br i1 %four.more, label %clear.four, label %words
clear.four:
  %c.to = getelementptr i8, ptr %to, i64 %four
  %c.t0 = getelementptr i32, ptr %c.to, i64 0
  store i32 0, ptr %c.t0, align 4
  %c.t1 = getelementptr i32, ptr %c.to, i64 1
  store i32 0, ptr %c.t1, align 4
  %c.t2 = getelementptr i32, ptr %c.to, i64 2
  store i32 0, ptr %c.t2, align 4
  %c.t3 = getelementptr i32, ptr %c.to, i64 3
  store i32 0, ptr %c.t3, align 4
  br label %fours
words:
  %word = phi i64 [ %four, %fours ], [ %word.next, %clear.word ]
  %word.next = add i64 %word, 4
  %word.more = icmp ule i64 %word.next, %bytes
  br i1 %word.more, label %clear.word, label %odd
clear.word:
  %w.to = getelementptr i8, ptr %to, i64 %word
  store i32 0, ptr %w.to, align 4
  br label %words
odd:
  %byte = phi i64 [ %word, %words ], [ %byte.next, %clear.byte ]
  %byte.more = icmp ult i64 %byte, %bytes
  br i1 %byte.more, label %clear.byte, label %end
clear.byte:
  %b.to = getelementptr i8, ptr %to, i64 %byte
  store i8 0, ptr %b.to, align 1
  %byte.next = add i64 %byte, 1
  br label %odd
end:
  ret void
}

; Words of 2 bytes.

; From the first word to the last.
define internal void @spinney.copy.2(ptr %to, ptr %from, i64 %bytes) noinline {
entry:
  %number.to = ptrtoint ptr %to to i64
  %number.from = ptrtoint ptr %from to i64
  %number = or i64 %number.to, %number.from
  %number.odd = and i64 %number, 7
  %is.whole = icmp eq i64 %number.odd, 0
  br i1 %is.whole, label %whole, label %fours
whole:
  call void @spinney.copy.8(ptr %to, ptr %from, i64 %bytes)
  ret void
fours:
  %four = phi i64 [ 0, %entry ], [ %four.next, %copy.four ]
  %four.next = add i64 %four, 8
  %four.more = icmp ule i64 %four.next, %bytes
  br i1 %four.more, label %copy.four, label %words
copy.four:
  %c.from = getelementptr i8, ptr %from, i64 %four
  %c.to = getelementptr i8, ptr %to, i64 %four
  %c.f0 = getelementptr i16, ptr %c.from, i64 0
  %c.v0 = load i16, ptr %c.f0, align 2
  %c.f1 = getelementptr i16, ptr %c.from, i64 1
  %c.v1 = load i16, ptr %c.f1, align 2
  %c.f2 = getelementptr i16, ptr %c.from, i64 2
  %c.v2 = load i16, ptr %c.f2, align 2
  %c.f3 = getelementptr i16, ptr %c.from, i64 3
  %c.v3 = load i16, ptr %c.f3, align 2
  %c.t0 = getelementptr i16, ptr %c.to, i64 0
  store i16 %c.v0, ptr %c.t0, align 2
  %c.t1 = getelementptr i16, ptr %c.to, i64 1
  store i16 %c.v1, ptr %c.t1, align 2
  %c.t2 = getelementptr i16, ptr %c.to, i64 2
  store i16 %c.v2, ptr %c.t2, align 2
  %c.t3 = getelementptr i16, ptr %c.to, i64 3
  store i16 %c.v3, ptr %c.t3, align 2
  br label %fours
words:
  %word = phi i64 [ %four, %fours ], [ %word.next, %copy.word ]
  %word.next = add i64 %word, 2
  %word.more = icmp ule i64 %word.next, %bytes
  br i1 %word.more, label %copy.word, label %odd
copy.word:
  %w.from = getelementptr i8, ptr %from, i64 %word
  %w.value = load i16, ptr %w.from, align 2
  %w.to = getelementptr i8, ptr %to, i64 %word
  store i16 %w.value, ptr %w.to, align 2
  br label %words
odd:
  %byte = phi i64 [ %word, %words ], [ %byte.next, %copy.byte ]
  %byte.more = icmp ult i64 %byte, %bytes
  br i1 %byte.more, label %copy.byte, label %end
copy.byte:
  %b.from = getelementptr i8, ptr %from, i64 %byte
  %b.value = load i8, ptr %b.from, align 1
  %b.to = getelementptr i8, ptr %to, i64 %byte
  store i8 %b.value, ptr %b.to, align 1
  %byte.next = add i64 %byte, 1
  br label %odd
end:
  ret void
}

; The same where both may overlap: from the last word to the first if that is needed.
define internal void @spinney.move.2(ptr %to, ptr %from, i64 %bytes) noinline {
entry:
  %is.up = icmp ule ptr %to, %from
  br i1 %is.up, label %up, label %odd
up:
  call void @spinney.copy.2(ptr %to, ptr %from, i64 %bytes)
  ret void
odd:
  %byte = phi i64 [ %bytes, %entry ], [ %byte.next, %copy.byte ]
  %byte.odd = and i64 %byte, 1
  %byte.more = icmp ne i64 %byte.odd, 0
  br i1 %byte.more, label %copy.byte, label %words
copy.byte:
  %byte.next = sub i64 %byte, 1
  %b.from = getelementptr i8, ptr %from, i64 %byte.next
  %b.value = load i8, ptr %b.from, align 1
  %b.to = getelementptr i8, ptr %to, i64 %byte.next
  store i8 %b.value, ptr %b.to, align 1
  br label %odd
words:
  %word = phi i64 [ %byte, %odd ], [ %word.next, %copy.word ]
  %word.odd = and i64 %word, 7
  %word.more = icmp ne i64 %word.odd, 0
  br i1 %word.more, label %copy.word, label %fours
copy.word:
  %word.next = sub i64 %word, 2
  %w.from = getelementptr i8, ptr %from, i64 %word.next
  %w.value = load i16, ptr %w.from, align 2
  %w.to = getelementptr i8, ptr %to, i64 %word.next
  store i16 %w.value, ptr %w.to, align 2
  br label %words
fours:
  %four = phi i64 [ %word, %words ], [ %four.next, %copy.four ]
  %four.more = icmp ne i64 %four, 0
  br i1 %four.more, label %copy.four, label %end
copy.four:
  %four.next = sub i64 %four, 8
  %c.from = getelementptr i8, ptr %from, i64 %four.next
  %c.to = getelementptr i8, ptr %to, i64 %four.next
  %c.f0 = getelementptr i16, ptr %c.from, i64 0
  %c.v0 = load i16, ptr %c.f0, align 2
  %c.f1 = getelementptr i16, ptr %c.from, i64 1
  %c.v1 = load i16, ptr %c.f1, align 2
  %c.f2 = getelementptr i16, ptr %c.from, i64 2
  %c.v2 = load i16, ptr %c.f2, align 2
  %c.f3 = getelementptr i16, ptr %c.from, i64 3
  %c.v3 = load i16, ptr %c.f3, align 2
  %c.t0 = getelementptr i16, ptr %c.to, i64 0
  store i16 %c.v0, ptr %c.t0, align 2
  %c.t1 = getelementptr i16, ptr %c.to, i64 1
  store i16 %c.v1, ptr %c.t1, align 2
  %c.t2 = getelementptr i16, ptr %c.to, i64 2
  store i16 %c.v2, ptr %c.t2, align 2
  %c.t3 = getelementptr i16, ptr %c.to, i64 3
  store i16 %c.v3, ptr %c.t3, align 2
  br label %fours
end:
  ret void
}

; Words of 1 bytes.

; From the first word to the last.
define internal void @spinney.copy.1(ptr %to, ptr %from, i64 %bytes) noinline {
entry:
  %number.to = ptrtoint ptr %to to i64
  %number.from = ptrtoint ptr %from to i64
  %number = or i64 %number.to, %number.from
  %number.odd = and i64 %number, 7
  %is.whole = icmp eq i64 %number.odd, 0
  br i1 %is.whole, label %whole, label %fours
whole:
  call void @spinney.copy.8(ptr %to, ptr %from, i64 %bytes)
  ret void
fours:
  %four = phi i64 [ 0, %entry ], [ %four.next, %copy.four ]
  %four.next = add i64 %four, 4
  %four.more = icmp ule i64 %four.next, %bytes
  br i1 %four.more, label %copy.four, label %words
copy.four:
  %c.from = getelementptr i8, ptr %from, i64 %four
  %c.to = getelementptr i8, ptr %to, i64 %four
  %c.f0 = getelementptr i8, ptr %c.from, i64 0
  %c.v0 = load i8, ptr %c.f0, align 1
  %c.f1 = getelementptr i8, ptr %c.from, i64 1
  %c.v1 = load i8, ptr %c.f1, align 1
  %c.f2 = getelementptr i8, ptr %c.from, i64 2
  %c.v2 = load i8, ptr %c.f2, align 1
  %c.f3 = getelementptr i8, ptr %c.from, i64 3
  %c.v3 = load i8, ptr %c.f3, align 1
  %c.t0 = getelementptr i8, ptr %c.to, i64 0
  store i8 %c.v0, ptr %c.t0, align 1
  %c.t1 = getelementptr i8, ptr %c.to, i64 1
  store i8 %c.v1, ptr %c.t1, align 1
  %c.t2 = getelementptr i8, ptr %c.to, i64 2
  store i8 %c.v2, ptr %c.t2, align 1
  %c.t3 = getelementptr i8, ptr %c.to, i64 3
  store i8 %c.v3, ptr %c.t3, align 1
  br label %fours
words:
  %word = phi i64 [ %four, %fours ], [ %word.next, %copy.word ]
  %word.next = add i64 %word, 1
  %word.more = icmp ule i64 %word.next, %bytes
  br i1 %word.more, label %copy.word, label %end
copy.word:
  %w.from = getelementptr i8, ptr %from, i64 %word
  %w.value = load i8, ptr %w.from, align 1
  %w.to = getelementptr i8, ptr %to, i64 %word
  store i8 %w.value, ptr %w.to, align 1
  br label %words
end:
  ret void
}

; The same where both may overlap: from the last word to the first if that is needed.
define internal void @spinney.move.1(ptr %to, ptr %from, i64 %bytes) noinline {
entry:
  %is.up = icmp ule ptr %to, %from
  br i1 %is.up, label %up, label %words
up:
  call void @spinney.copy.1(ptr %to, ptr %from, i64 %bytes)
  ret void
words:
  %word = phi i64 [ %bytes, %entry ], [ %word.next, %copy.word ]
  %word.odd = and i64 %word, 3
  %word.more = icmp ne i64 %word.odd, 0
  br i1 %word.more, label %copy.word, label %fours
copy.word:
  %word.next = sub i64 %word, 1
  %w.from = getelementptr i8, ptr %from, i64 %word.next
  %w.value = load i8, ptr %w.from, align 1
  %w.to = getelementptr i8, ptr %to, i64 %word.next
  store i8 %w.value, ptr %w.to, align 1
  br label %words
fours:
  %four = phi i64 [ %word, %words ], [ %four.next, %copy.four ]
  %four.more = icmp ne i64 %four, 0
  br i1 %four.more, label %copy.four, label %end
copy.four:
  %four.next = sub i64 %four, 4
  %c.from = getelementptr i8, ptr %from, i64 %four.next
  %c.to = getelementptr i8, ptr %to, i64 %four.next
  %c.f0 = getelementptr i8, ptr %c.from, i64 0
  %c.v0 = load i8, ptr %c.f0, align 1
  %c.f1 = getelementptr i8, ptr %c.from, i64 1
  %c.v1 = load i8, ptr %c.f1, align 1
  %c.f2 = getelementptr i8, ptr %c.from, i64 2
  %c.v2 = load i8, ptr %c.f2, align 1
  %c.f3 = getelementptr i8, ptr %c.from, i64 3
  %c.v3 = load i8, ptr %c.f3, align 1
  %c.t0 = getelementptr i8, ptr %c.to, i64 0
  store i8 %c.v0, ptr %c.t0, align 1
  %c.t1 = getelementptr i8, ptr %c.to, i64 1
  store i8 %c.v1, ptr %c.t1, align 1
  %c.t2 = getelementptr i8, ptr %c.to, i64 2
  store i8 %c.v2, ptr %c.t2, align 1
  %c.t3 = getelementptr i8, ptr %c.to, i64 3
  store i8 %c.v3, ptr %c.t3, align 1
  br label %fours
end:
  ret void
}
